// The one place where requests become answers: route, check, dispatch. Each endpoint lives in a
// file of its own below `Endpoints`.

import AppLinks
import Clocks
import HTTP1
import Logging
import ResultStore

/// Everything that Landfall serves.
struct Application: RequestHandler {
    let store: ResultStore
    let routes: Routes
    let sites: Sites
    let access: AccessControl
    let transport: TransportPolicy
    let callbackBodyBytes: Int
    let log: Logger

    func respond(to request: Request, over connection: inout Connection) async -> Response {
        var response: Response
        do throws(Problem) {
            response = try await answer(request, over: &connection)
        } catch {
            response = error.response
        }
        transport.addStrictness(to: &response, for: request)
        return response
    }

    func respond(to refusal: Refusal) -> Response {
        var response = Problem(refusal).response
        response.closesConnection = true
        return response
    }

    private func answer(
        _ request: Request, over connection: inout Connection
    ) async throws(Problem) -> Response {
        if request.method == .options, request.path.elementsEqual("*".utf8) {
            return Self.options("GET, HEAD, POST, OPTIONS")
        }
        guard request.method != .connect else { throw .methodNotAllowed("GET, HEAD, POST") }
        let host = request.host
        let (endpoint, parameters) = try endpoint(for: request, on: host)
        if let redirect = transport.redirect(request, to: endpoint) { return redirect }
        if let limit = endpoint.targetBytes, request.target.count > limit {
            throw Problem(
                status: .uriTooLong, kind: "uri-too-long",
                detail: "The request target may have \(limit) bytes at the most here.")
        }
        if endpoint.isProtected { try access.check(request) }
        guard endpoint.methods.contains(request.method) else {
            let allowed = (endpoint.methods + [.options]).map(\.rawValue).joined(separator: ", ")
            if request.method == .options { return Self.options(allowed) }
            throw .methodNotAllowed(allowed)
        }
        return try await dispatch(endpoint, parameters, request, on: host, over: &connection)
    }

    private func endpoint(
        for request: Request, on host: String
    ) throws(Problem) -> (Endpoint, Parameters?) {
        if let endpoint = routes.endpoint(forPlain: request.path, on: host) {
            return (endpoint, nil)
        }
        guard let link = Link(path: request.path)?.withoutDotSegments else {
            throw Problem(
                status: .badRequest, kind: "invalid-path",
                detail: "A segment of the path can't be percent-decoded to UTF-8 text.")
        }
        guard let found = routes.endpoint(for: link, on: host) else { throw .notFound }
        return (found.endpoint, found.parameters)
    }

    private func dispatch(
        _ endpoint: Endpoint, _ parameters: Parameters?, _ request: Request, on host: String,
        over connection: inout Connection
    ) async throws(Problem) -> Response {
        switch endpoint {
        case .callbacks:
            return try await receive(
                request, vendor: vendor(parameters?["vendor"]), inbox: inbox(parameters?["inbox"]),
                over: &connection)
        case .receiver(let receiver):
            return try await receive(
                request, vendor: receiver.vendor, inbox: receiver.inbox, over: &connection)
        case .associationFile: return try sites.association(for: request, on: host)
        case .assetLinksFile: return try sites.assetLinks(for: request, on: host)
        case .results: return try await listResults(request)
        case .latestResult: return try await latestResult(request)
        case .result: return try await result(parameters?["id"], request)
        case .resultRequest: return try await storedRequest(of: parameters?["id"], request)
        case .inboxes: return try await listInboxes(request)
        case .health:
            return Response(
                .ok, contentType: "application/json", body: Array(#"{"status":"ok"}"#.utf8))
        case .page(let file): return try Self.serve(file, request)
        }
    }

    static func serve(
        _ file: StaticResource, _ request: Request
    ) throws(Problem) -> Response {
        do throws(Refusal) {
            return try file.respond(to: request)
        } catch {
            throw Problem(error)
        }
    }

    private static func options(_ allowed: String) -> Response {
        var response = Response(.noContent)
        response.add("Allow", allowed)
        return response
    }
}

extension Link {
    /// The link with `.` and `..` components resolved (RFC 3986 §5.2.4); what would lead above the
    /// root stays at the root.
    var withoutDotSegments: Link {
        guard components.contains(where: { $0 == "." || $0 == ".." }) else { return self }
        var resolved: [String] = []
        for component in components {
            switch component {
            case ".": break
            case "..": _ = resolved.popLast()
            default: resolved.append(component)
            }
        }
        return Link(components: resolved, query: query)
    }
}
