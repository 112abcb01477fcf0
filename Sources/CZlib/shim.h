// zlib (Debian's `zlib1g-dev`): CRC-32 for stored records, and gzip.
#include <zlib.h>
