// What can go wrong with a request that this program sends, as one closed list of sentences.

import Sockets

/// A request that could not be made, or was not answered whole.
package enum ClientError: Error, Equatable {
    /// The URL can't be asked; the sentence says why.
    case invalidURL(String)

    /// libcurl is missing, or refuses to work.
    case unavailable(reason: String)

    /// There is no connection to the host, or none under TLS.
    case unreachable(authority: String, reason: String)

    /// The host's name leads to an address that the request must not reach.
    case addressRefused(authority: String, address: IPAddress)

    /// The request's time limits passed first.
    case timedOut(authority: String)

    /// The connection ended before a response began.
    case noResponse

    /// The connection ended in the middle of the response.
    case brokenOff

    /// What came is not an HTTP/1 response.
    case malformed

    /// The response has more bytes than are kept.
    case tooLarge(bytes: Int)

    /// The parts of the request's body, or what takes the response's, ended the exchange.
    case ended(reason: String)

    /// The task that asked was cancelled.
    case cancelled
}

extension ClientError: CustomStringConvertible {
    /// One sentence in English.
    package var description: String {
        switch self {
        case .invalidURL(let sentence): sentence
        case .unavailable(let reason): "libcurl can't be used: \(reason)."
        case .unreachable(let authority, let reason): "\(authority) can't be reached: \(reason)."
        case .addressRefused(let authority, let address):
            "\(authority) leads to \(address), which this request must not reach."
        case .timedOut(let authority): "\(authority) did not answer in time."
        case .noResponse: "The connection ended before there was a response."
        case .brokenOff: "The connection ended in the middle of the response."
        case .malformed: "The response isn't valid HTTP/1.1."
        case .tooLarge(let bytes): "The response has more than \(bytes) bytes."
        case .ended(let reason): reason
        case .cancelled: "The request was cancelled."
        }
    }
}
