// QR codes by libqrencode, as Debian's `libqrencode-dev` installs it: one function, and memory of the
// caller's only.
#ifndef CQRCODE_H
#define CQRCODE_H

#include <stddef.h>
#include <stdint.h>

enum {
    // A QR code's largest width in modules: version 40 (ISO/IEC 18004).
    cqrcode_largest_width = 177,
    // The bytes that version 40 holds at the lowest level of error correction.
    cqrcode_largest_text = 2953,
};

// Makes the smallest QR code (ISO/IEC 18004) that holds `length` bytes at the lowest level of error
// correction. Writes one byte for each module, row by row from the top: 1 where it is dark, else 0.
//
// `modules` has room for `capacity` bytes; width * width of them are written. Returns the width in
// modules, without a quiet zone; -ERANGE when the text is empty or too long, -ENOBUFS when there is
// no room, -ENOMEM when there is no memory.
int cqrcode_encode(const uint8_t *text, size_t length, uint8_t *modules, size_t capacity);

#endif
