// QR codes with libqrencode (Debian's `libqrencode-dev`): one function, which uses only the
// caller's memory.
#ifndef CQRCODE_H
#define CQRCODE_H

#include <stddef.h>
#include <stdint.h>

enum {
    // Maximum width of a QR code in modules: version 40 (ISO/IEC 18004).
    cqrcode_largest_width = 177,
    // Maximum bytes in version 40 at the lowest level of error correction.
    cqrcode_largest_text = 2953,
};

// Makes the smallest QR code (ISO/IEC 18004) for `length` bytes at the lowest level of error
// correction. Writes one byte for each module, row by row from the top: 1 if it is dark, else 0.
//
// `modules` has room for `capacity` bytes; width * width of them are written. Returns the width in
// modules, without a quiet zone; -ERANGE if the text is empty or too long, -ENOBUFS if `capacity`
// is too small, -ENOMEM if there is no memory.
int cqrcode_encode(const uint8_t *text, size_t length, uint8_t *modules, size_t capacity);

#endif
