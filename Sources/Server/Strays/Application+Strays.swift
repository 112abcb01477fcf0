// Strays: requests that match no route. They are kept with the nearest receivers, so that nothing
// sent here is lost, and can be adopted later as callbacks.
//
// Invariant: the response is that of a request that is not kept, with additions. Strays are bounded
// by rate and bytes here, by count in the store. Requests to the API and automatic requests of
// browsers and robots are never kept. Credentials are redacted and values masked as in callbacks.

import Clocks
import HTTP1
import JSON
import LinkPatterns
import Problems
import ResultStore
import Vendors

extension Application {
    /// Whether an unrouted request may have been meant for a receiver.
    static func isStray(_ request: Request) -> Bool {
        switch request.method {
        case .options, .head, .connect: return false
        default: break
        }
        let segment = request.path.dropFirst().prefix { $0 != UInt8(ascii: "/") }
        let first = String(decoding: segment, as: UTF8.self).lowercased()
        return first != "api" && !automaticPaths.contains(first)
            && !automaticPrefixes.contains { first.hasPrefix($0) }
    }

    /// Paths that browsers and robots request from every host.
    private static let automaticPaths: Set = [
        "", ".well-known", "favicon.ico", "favicon.png", "favicon.svg", "robots.txt", "sitemap.xml",
        "ads.txt", "humans.txt", "security.txt", "browserconfig.xml", "manifest.json",
        "site.webmanifest", "service-worker.js", "sw.js", "apple-app-site-association",
    ]

    private static let automaticPrefixes = ["apple-touch-icon"]

    /// Keeps an unrouted request if it may be a stray and the limits allow it, and responds.
    ///
    /// - Parameter problem: why no route takes it.
    ///
    /// Never inlined: keeps the async frame of connections that only request files small.
    @inline(never)
    func keepStray(
        _ request: Request, _ problem: Problem, over connection: inout Connection
    ) async -> Response {
        let now = Clock.monotonicMilliseconds
        guard Self.isStray(request), strays.admits(request.origin.client.ip, at: now),
            let body = try? await connection.content(upTo: callbackBodyBytes),
            strays.admits(bytes: request.bytes.count + body.count, at: now)
        else { return await answer(toUnrouted: request, problem) }
        let permit: MemoryPermit?
        do throws(Problem) {
            permit = try await api.memory(toDecode: body)
        } catch {
            return await answer(toUnrouted: request, problem)
        }
        defer { withExtendedLifetime(permit) {} }
        // To compare a long path with many receivers takes some time.
        let (record, nearest) = await api.largeWork.run { stray(request, body, problem) }
        var kept = problem
        kept.members.append(("nearest", nearest))
        if let receipt = try? await append(record, over: &connection) {
            kept.members.append(("stray", Array("\"\(receipt.id)\"".utf8)))
        }
        return await answer(toUnrouted: request, kept)
    }

    /// The record of a stray, and the nearest receivers as JSON.
    private func stray(
        _ request: Request, _ body: [UInt8], _ problem: Problem
    ) -> (NewRecord, nearest: [UInt8]) {
        let path = try? Link(request, withQuery: true)
        let near = path.map {
            NearReceiver.find(host: request.host, path: $0, among: routes.receivers)
        }
        var nearest = JSONWriter()
        nearest.array { json in for receiver in near ?? [] { receiver.write(to: &json) } }
        var result = JSONWriter(reservingCapacity: nearest.bytes.count + 64)
        result.object { json in
            json.member("status", problem.status.code)
            json.member("problem", problem.kind)
            json.member("nearest", raw: nearest.bytes)
        }
        // The differences quote the path.
        let redacted = Redaction.redactBody(result.bytes)
        let kept = pseudonyms.map { Masking.mask(json: redacted, by: $0) } ?? redacted
        let record = NewRecord(
            kind: .stray, receivedAt: .now, inbox: path.flatMap(Self.inbox) ?? Inbox.defaultName,
            vendor: Vendor.raw.rawValue, contract: nil, outcome: nil,
            verdict: Verdict.unmatched.rawValue,
            request: ReceivedRequest(
                request, body: body, masking: pseudonyms, capturing: captures(of: request)
            ).stored,
            result: try? JSONDocument(parsing: kept))
        return (record, nearest.bytes)
    }

    /// The inbox that a path of the built-in receiver names, even if the rest is invalid.
    private static func inbox(of path: Link) -> String? {
        ReceiverPath(path.components)?.inbox.flatMap { Inbox.isValid($0) ? $0 : nil }
    }
}
