// The questions of the API about results.

import HTTP1

extension ResultAPI {
    /// What is asked; each case has a route of its own.
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
        case drift
        case statistics
        case export
        case importing
        case compact
        case verify
        case redecode
        case adopt

        /// The methods that it answers.
        package var methods: [Request.Method] {
            switch self {
            case .result: [.get, .head, .delete]
            case .inbox: [.delete]
            case .importing, .compact, .verify, .redecode, .adopt: [.post]
            // Answers that may take minutes are not made to be thrown away.
            case .wait, .stream, .export, .drift: [.get]
            default: [.get, .head]
            }
        }
    }
}
