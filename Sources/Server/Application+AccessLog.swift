// What the access log says of a request, without credentials.

import Emulator
import HTTP1
import LinkPatterns
import Problems
import ResultAPI
import Vendors

extension Application {
    /// Writes a response into the access log, if there is one.
    func log(
        _ response: Response, to request: Request, at path: [UInt8], _ label: RequestLabel,
        _ microseconds: UInt64, _ connection: borrowing Connection
    ) {
        accessLog?.note(
            AccessLog.Entry(
                request: request, path: path, host: Self.shownHost(of: request),
                response: response, route: routes.patterns[Int(label.pattern)],
                vendor: label.vendorName, microseconds: microseconds,
                requestID: connection.requestIDText, record: connection.subject))
    }

    /// The path of a request as it may be stored.
    func shownPath(of request: Request) -> [UInt8] {
        ReceivedRequest(
            request, body: [], masking: pseudonyms, capturing: captures(of: request)
        ).path
    }

    /// The path of a request, redacted beside the event loops.
    ///
    /// All of it is redacted, though the log shows only its beginning: a credential of which a part
    /// is missing isn't recognised.
    ///
    /// Never inlined: keeps the async frame of connections that only request files small.
    @inline(never)
    func shownLongPath(of request: Request) async -> [UInt8] {
        await api.largeWork.run { shownPath(of: request) }
    }

    /// What the path of its route captures of a request, also if the route doesn't take it because
    /// a segment can't be decoded.
    func captures(of request: Request) -> [(name: String, value: String)] {
        var parameters: Parameters?
        do throws(Problem) {
            parameters = try route(for: request, on: request.host)?.1
        } catch {
            parameters = routes.route(for: Link(repairing: request), on: request.host)?.parameters
        }
        return parameters?.captures.map { (name: $0.name, value: $0.value) } ?? []
    }

    /// The host of a request as it may be logged.
    ///
    /// Redacted before it is lower-cased, because some credentials are recognised by their case.
    private static func shownHost(of request: Request) -> String {
        let authority = Array(request.authority ?? [])
        let kept = Redaction.redactAuthority(authority)
        return kept == authority
            ? request.host
            : String(decoding: kept.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self).lowercased()
    }
}
