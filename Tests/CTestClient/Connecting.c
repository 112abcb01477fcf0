// See CTestClient.h. Connections of TCP.
#include "CTestClient.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static int connect_blocking(int fd, const struct addrinfo *address, int timeout_ms) {
    struct timeval timeout = {timeout_ms / 1000, timeout_ms % 1000 * 1000};
    if (setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout) == -1) return -1;
    if (connect(fd, address->ai_addr, address->ai_addrlen) == -1) return -1;
    return fcntl(fd, F_SETFL, O_NONBLOCK);
}

int ctestclient_connect(const char *host, uint16_t port, int timeout_ms) {
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM}, *address;
    char service[6];
    snprintf(service, sizeof service, "%u", port);
    if (getaddrinfo(host, service, &hints, &address) != 0) return -EINVAL;
    int result = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (result == -1) {
        result = -errno;
    } else if (connect_blocking(result, address, timeout_ms) == -1) {
        int error = errno;
        close(result);
        result = -error;
    }
    freeaddrinfo(address);
    return result;
}
