// Wraps libqrencode, because Swift can't safely import the structure that it allocates.

#include "CQRCode.h"

#include <errno.h>
#include <qrencode.h>

int cqrcode_encode(const uint8_t *text, size_t length, uint8_t *modules, size_t capacity) {
    if (length == 0 || length > cqrcode_largest_text) return -ERANGE;
    // Version 0 means the smallest one. Every byte is encoded unchanged: no Kanji, no terminating
    // NUL.
    QRcode *code = QRcode_encodeData((int)length, text, 0, QR_ECLEVEL_L);
    if (code == NULL) return errno == ERANGE ? -ERANGE : -ENOMEM;
    int width = code->width;
    size_t count = (size_t)width * (size_t)width;
    if (count > capacity) {
        width = -ENOBUFS;
    } else {
        // The lowest bit is the colour; the others describe the module's purpose.
        for (size_t index = 0; index < count; index++) modules[index] = code->data[index] & 1;
    }
    QRcode_free(code);
    return width;
}
