// Queries about results: a client's request and a command make the same value.

import HTTP1
import Problems

extension ResultAPI {
    /// What a query does; each case has its own route.
    package enum Operation: Sendable {
        case results
        case latestResult
        case stream
        case result
        case resultRequest
        case resultCurl
        case resultLayers
        case inboxes
        case inbox
        case flows
        case flow
        case flowReport
        case vendors
        case fields
        case drift
        case diagnostics
        case statistics
        case export
        case compact
        case verify
        case redecode

        /// Whether it changes nothing, so that nobody needs its answer once its client has left.
        package var onlyReads: Bool {
            switch self {
            case .inbox, .compact, .redecode: false
            case .results, .latestResult, .stream, .result, .resultRequest, .resultCurl,
                .resultLayers, .inboxes, .flows, .flow, .flowReport, .vendors, .fields, .drift,
                .diagnostics, .statistics, .export, .verify:
                true
            }
        }

        /// The supported methods.
        package var methods: [Request.Method] {
            switch self {
            case .result: [.get, .head, .delete]
            case .inbox: [.delete]
            case .compact, .verify, .redecode: [.post]
            // No HEAD: these responses may take minutes, which is too much work to discard.
            case .stream, .export, .drift: [.get]
            default: [.get, .head]
            }
        }
    }

    /// One query.
    package struct Query: Sendable {
        let operation: Operation
        /// The result, inbox, flow or vendor that it is about.
        package let subject: String?
        /// Whether its subject is to be erased.
        package let erases: Bool
        let parameters: QueryParameters
        /// The preferred form of results.
        let form: ResultForm
        /// The client's request, for conditions and addresses; nil for a command.
        let request: Request?

        /// A client's query.
        package init(_ operation: Operation, about subject: String?, _ request: Request) {
            self.operation = operation
            self.subject = subject
            erases = request.method == .delete
            parameters = QueryParameters(request)
            form = ResultForm(request)
            self.request = request
        }

        /// A command's query.
        package init(
            _ operation: Operation, about subject: String?, erases: Bool,
            parameters: QueryParameters, form: ResultForm
        ) {
            self.operation = operation
            self.subject = subject
            self.erases = erases
            self.parameters = parameters
            self.form = form
            request = nil
        }
    }
}
