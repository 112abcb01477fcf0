// zlib as the Debian package `zlib1g-dev` installs it: CRC-32 for stored records.
#include <zlib.h>
