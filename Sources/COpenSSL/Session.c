// See COpenSSL.h. One connection, and the BIO between OpenSSL and its descriptor.
//
// The event loop is edge-triggered and OpenSSL reads ahead. So the BIO remembers when a recv took
// everything available, and calls the kernel again only after the loop has seen more. This can't
// hang: OpenSSL is called as long as it holds octets, and recv is skipped only while an event is
// due.
#define _GNU_SOURCE
#include "Internal.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

// No message needs more recv calls before it yields data or has to wait: a client's certificates
// may have 100 kB. OpenSSL continues by itself as long as data arrives, so without a limit endless
// key updates, at 20 us for 27 octets, would block the event loop for all others.
enum { receives_per_call = 16 };

// ---- the BIO -----------------------------------------------------------------------------

static int on_read(BIO *bio, char *buffer, int size) {
    copenssl_session *session = BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    if (session->is_drained) {
        BIO_set_retry_read(bio);
        return -1;
    }
    if (session->receives == receives_per_call) return -1;
    session->receives++;
    ssize_t count;
    do {
        count = recv(session->fd, buffer, (size_t)size, 0);
    } while (count < 0 && errno == EINTR);
    if (count > 0) {
        session->is_drained = count < size && !session->is_hung_up;
    } else if (count == 0) {
        session->has_ended = 1;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
        session->is_drained = 1;
        session->is_hung_up = 0;
        BIO_set_retry_read(bio);
    } else {
        session->system_error = errno;
    }
    return (int)count;
}

static int on_write(BIO *bio, const char *octets, int size) {
    copenssl_session *session = BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    ssize_t count;
    do {
        count = send(
            session->fd, octets, (size_t)size,
            MSG_NOSIGNAL | (session->has_more ? MSG_MORE : 0));
    } while (count < 0 && errno == EINTR);
    if (count >= 0) return (int)count;
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
        BIO_set_retry_write(bio);
    } else {
        session->system_error = errno;
    }
    return -1;
}

static long on_control(BIO *bio, int command, long number, void *pointer) {
    (void)number, (void)pointer;
    const copenssl_session *session = BIO_get_data(bio);
    switch (command) {
    case BIO_CTRL_FLUSH: return 1;
    case BIO_CTRL_EOF: return session->has_ended;
    default: return 0;
    }
}

static BIO_METHOD *method;
static CRYPTO_ONCE method_once = CRYPTO_ONCE_STATIC_INIT;

static void make_method(void) {
    BIO_METHOD *made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "descriptor");
    if (made == NULL) return;
    if (BIO_meth_set_read(made, on_read) == 1 && BIO_meth_set_write(made, on_write) == 1
        && BIO_meth_set_ctrl(made, on_control) == 1)
    {
        method = made;
        return;
    }
    BIO_meth_free(made);
}

// ---- life --------------------------------------------------------------------------------

copenssl_session *copenssl_session_make(SSL_CTX *context, int fd) {
    ERR_clear_error();
    if (context == NULL || CRYPTO_THREAD_run_once(&method_once, make_method) != 1) return NULL;
    copenssl_session *session = OPENSSL_zalloc(sizeof *session);
    if (session == NULL) return NULL;
    session->fd = fd;
    session->ssl = SSL_new(context);
    BIO *bio = method == NULL || session->ssl == NULL ? NULL : BIO_new(method);
    if (bio == NULL) {
        copenssl_session_free(session);
        return NULL;
    }
    BIO_set_data(bio, session);
    BIO_set_init(bio, 1);
    SSL_set_bio(session->ssl, bio, bio);
    return session;
}

copenssl_session *copenssl_session_accept(copenssl_server *server, int fd) {
    copenssl_session *session = copenssl_session_make(copenssl_server_context(server), fd);
    if (session != NULL) SSL_set_accept_state(session->ssl);
    return session;
}

void copenssl_session_free(copenssl_session *session) {
    if (session == NULL) return;
    SSL_free(session->ssl);
    OPENSSL_free(session);
}

// ---- octets ------------------------------------------------------------------------------

static int is_reason(unsigned long error, int reason) {
    return ERR_GET_LIB(error) == ERR_LIB_SSL && ERR_GET_REASON(error) == reason;
}

static int is_of_a_lost_peer(int error) {
    return error == ECONNRESET || error == EPIPE || error == ENOTCONN || error == ETIMEDOUT;
}

// The outcome of a call that didn't succeed.
static int refusal(copenssl_session *session, int result) {
    switch (SSL_get_error(session->ssl, result)) {
    case SSL_ERROR_WANT_READ: session->is_starved = 1; return copenssl_wants_read;
    case SSL_ERROR_WANT_WRITE: return copenssl_wants_write;
    case SSL_ERROR_ZERO_RETURN: return copenssl_closed;
    case SSL_ERROR_SYSCALL:
        if (ERR_peek_error() != 0) break;
        session->is_broken = 1;
        if (session->has_ended || is_of_a_lost_peer(session->system_error)) {
            return copenssl_closed;
        }
        return copenssl_failed;
    default: break;
    }
    session->is_broken = 1;
    if (is_reason(ERR_peek_error(), SSL_R_HTTP_REQUEST)) session->spoke_http = 1;
    return copenssl_failed;
}

static void begin(copenssl_session *session) {
    session->has_more = 0;
    ERR_clear_error();
    session->receives = 0;
}

int copenssl_session_handshake(copenssl_session *session) {
    if (session->is_broken) return copenssl_closed;
    begin(session);
    // While a TLS 1.3 server waits for the client's Finished, it only has tickets left to write.
    // The client doesn't wait for them, so they can be sent with the first response.
    session->has_more = SSL_get_state(session->ssl) == TLS_ST_EARLY_DATA;
    int result = SSL_do_handshake(session->ssl);
    if (result != 1) return refusal(session, result);
    // The OCSP response has been sent; an idle connection doesn't need a copy of it.
    SSL_set_tlsext_status_ocsp_resp(session->ssl, NULL, 0);
    return 0;
}

int copenssl_session_may_read(const copenssl_session *session) {
    if (session->is_starved) return 0;
    return !session->is_drained || SSL_has_pending(session->ssl) || SSL_in_init(session->ssl)
        || (SSL_get_shutdown(session->ssl) & SSL_RECEIVED_SHUTDOWN) != 0;
}

void copenssl_session_may_receive(copenssl_session *session, int hung_up) {
    session->is_drained = 0;
    session->is_starved = 0;
    if (hung_up) session->is_hung_up = 1;
}

ssize_t copenssl_session_read(copenssl_session *session, void *buffer, size_t capacity) {
    if (session->is_broken) return copenssl_closed;
    if (!copenssl_session_may_read(session)) return copenssl_wants_read;
    begin(session);
    size_t count = 0;
    int result = SSL_read_ex(session->ssl, buffer, capacity, &count);
    return result == 1 ? (ssize_t)count : refusal(session, result);
}

ssize_t copenssl_session_write(
    copenssl_session *session, const void *octets, size_t count, int has_more
) {
    if (session->is_broken) return copenssl_closed;
    if (count == 0) return 0;
    begin(session);
    session->has_more = has_more != 0;
    size_t taken = 0;
    int result = SSL_write_ex(session->ssl, octets, count, &taken);
    if (result == 1) {
        session->has_unsent = 0;
        return (ssize_t)taken;
    }
    int reason = refusal(session, result);
    session->has_unsent = reason == copenssl_wants_write;
    return reason;
}

int copenssl_session_shutdown(copenssl_session *session) {
    // After a partial record, or instead of a handshake, the peer could not parse it. Once it has
    // been sent, OpenSSL would wait for the peer's.
    if (session->is_shut || session->is_broken || session->has_unsent) return 0;
    if (SSL_in_init(session->ssl)) return 0;
    begin(session);
    int result = SSL_shutdown(session->ssl);
    if (result < 0) return refusal(session, result);
    session->is_shut = 1;
    return 0;
}

// ---- what is known of a session ----------------------------------------------------------

void copenssl_session_take_reason(copenssl_session *session, char *text, size_t capacity) {
    if (ERR_peek_error() == 0) {
        const char *reason = session->system_error == 0
            ? "too much without data" : strerrordesc_np(session->system_error);
        snprintf(text, capacity, "%s", reason == NULL ? "unknown system error" : reason);
        return;
    }
    long verdict = SSL_get_verify_result(session->ssl);
    int is_verification = is_reason(ERR_peek_error(), SSL_R_CERTIFICATE_VERIFY_FAILED);
    copenssl_take_reason(text, capacity);
    size_t used = strlen(text);
    if (is_verification && verdict != X509_V_OK) {
        snprintf(
            text + used, capacity - used, ": %s", X509_verify_cert_error_string(verdict));
    }
}

int copenssl_session_spoke_http(const copenssl_session *session) { return session->spoke_http; }
