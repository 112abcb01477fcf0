// All errors of requests that this program sends.

import Sockets

/// Why a request could not be sent, or its response is incomplete.
package enum ClientError: Error, Equatable {
    /// The URL is not supported; the sentence says why.
    case invalidURL(String)

    /// libcurl is missing or can't be used.
    case unavailable(reason: String)

    /// Connecting to the host failed.
    case unreachable(authority: String, reason: String)

    /// The TLS handshake failed, or the certificate isn't trusted for the host.
    case untrusted(authority: String, reason: String)

    /// The host's name resolves to an address that the request must not connect to.
    case addressRefused(authority: String, address: IPAddress)

    /// A time limit of the request expired, before or after the connection, with its TLS, was
    /// established.
    case timedOut(authority: String, isConnected: Bool)

    /// The connection closed before a response began.
    case noResponse

    /// The connection closed within the response.
    case brokenOff

    /// The received data is not an HTTP/1 response.
    case malformed

    /// The response exceeds the limit.
    case tooLarge(bytes: Int)

    /// The source of the request's body or the receiver of the response ended the exchange.
    case ended(reason: String)

    /// The calling task was cancelled.
    case cancelled
}

extension ClientError: CustomStringConvertible {
    /// The error as one English sentence.
    package var description: String {
        switch self {
        case .invalidURL(let sentence): sentence
        case .unavailable(let reason): "libcurl can't be used: \(reason)."
        case .unreachable(let authority, let reason), .untrusted(let authority, let reason):
            "\(authority) can't be reached: \(reason)."
        case .addressRefused(let authority, let address):
            "\(authority) resolves to \(address), which this request may not reach."
        case .timedOut(let authority, _): "\(authority) did not respond in time."
        case .noResponse: "The connection closed before a response arrived."
        case .brokenOff: "The connection closed in the middle of the response."
        case .malformed: "The response isn't valid HTTP/1.1."
        case .tooLarge(let bytes): "The response has more than \(bytes) bytes."
        case .ended(let reason): reason
        case .cancelled: "The request was cancelled."
        }
    }
}
