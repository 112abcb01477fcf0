// The API's queries about results.

import HTTP1

extension ResultAPI {
    /// The query; each case has its own route.
    package enum Question: Sendable {
        case results
        case latestResult
        case wait
        case stream
        case result
        case resultRequest
        case resultCurl
        case inboxes
        case inbox
        case flows
        case flow
        case flowReport
        case vendors
        case fields
        case drift
        case statistics
        case export
        case importing
        case compact
        case verify
        case redecode
        case adopt

        /// The supported methods.
        package var methods: [Request.Method] {
            switch self {
            case .result: [.get, .head, .delete]
            case .inbox: [.delete]
            case .importing, .compact, .verify, .redecode, .adopt: [.post]
            // No HEAD: these responses may take minutes, which is too much work to discard.
            case .wait, .stream, .export, .drift: [.get]
            default: [.get, .head]
            }
        }
    }
}
