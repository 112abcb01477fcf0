// Questions about links: which rule of a hosted file applies to a URL, and what is wrong in a file
// that is not hosted yet.

import AppLinks
import HTTP1
import JSON
import LinkHosting
import LinkPatterns
import Problems
import ResultAPI

extension Application {
    /// Maximum bytes of a file to check: above the platforms' limits, so that these can be
    /// reported.
    static let lintedBytes = 1024 * 1024 + 65_536

    /// `GET /api/v1/links/explain?url=…[&app=…]`: what the link file of the URL's host decides.
    func explainLink(_ request: Request) throws(Problem) -> Response {
        var parameters = QueryParameters(request)
        let expected = "a URL with https:// and a host, without blanks and control characters"
        let url = parameters.take("url", expected: expected) { text in
            LinkURL(written: text).flatMap { $0.isWebLink && $0.hasValidAuthority ? $0 : nil }
        }
        let app = parameters.take("app", expected: "an app ID") { $0.isEmpty ? nil : $0 }
        if url == nil, parameters.findings.isEmpty { parameters.add("url", "Give a URL.") }
        try parameters.finish()
        guard let url, let host = url.serverName else { throw .notFound }
        let site = sites.current.site(of: host)
        guard let file = site?.association else { throw notHosted(host, site?.defaultSite) }
        guard let association = file.association else {
            throw Problem(
                status: .conflict, kind: "invalid-link-file",
                detail: "The file of \(host) is invalid JSON: "
                    + "\(file.errorSummary ?? "see its findings").")
        }
        var json = JSONWriter(reservingCapacity: 1024)
        json.object { json in
            json.member("url", "\(url)")
            json.object("file") { json in
                json.member("path", file.name(on: host))
                let content = association.document.bytes.prefix(Self.shownFileBytes)
                json.member("content", String(decoding: content, as: UTF8.self))
            }
            association.explain(url, for: app).writeMembers(to: &json)
        }
        return ResultAPI.uncached(json.bytes, isCompressible: true)
    }

    /// Maximum bytes of a link file that an explanation shows: as many as Apple's systems read.
    static let shownFileBytes = 128 * 1024

    /// `POST /api/v1/associations/lint[?kind=…]`: the findings for the file in the request body.
    func lintLinkFile(
        _ request: Request, over connection: inout Connection
    ) async throws(Problem) -> Response {
        var parameters = QueryParameters(request)
        let kinds = HostedFile.Kind.allCases.map(\.rawValue)
        let name = parameters.take("kind", oneOf: kinds)
        try parameters.finish()
        let content: [UInt8]
        do throws(Connection.BodyFailure) {
            content = try await connection.readBody(upTo: Self.lintedBytes)
        } catch {
            switch error {
            case .refused(let refusal): throw Problem(refusal)
            case .disconnected: throw Problem(.incompleteBody)
            }
        }
        let kind = name.flatMap { HostedFile.Kind(rawValue: $0) } ?? .association
        return await api.largeWork.run {
            var json = JSONWriter(reservingCapacity: 1024)
            json.object { json in
                let findings = kind.findings(in: content)
                LintedFile(name: kind.path, findings: findings).writeMembers(to: &json)
            }
            return ResultAPI.uncached(json.bytes, isCompressible: true)
        }
    }

    /// Maximum number of hosts that a response lists; further sites are counted.
    private static let listedHosts = 20

    private func notHosted(_ host: String, _ defaultSite: String?) -> Problem {
        let hosts = sites.current.associatedHosts
        // The default site may have Android's file only.
        let reason =
            if let defaultSite, hosts.contains(defaultSite) {
                "it gets the link file of the default site, \(defaultSite)."
            } else {
                "it has no apple-app-site-association in the sites folder."
            }
        var list = hosts.prefix(Self.listedHosts).joined(separator: ", ")
        if hosts.count > Self.listedHosts { list += " and \(hosts.count - Self.listedHosts) more" }
        let spelling = HostSpelling.hint(for: host).map { "\($0) " } ?? ""
        return Problem(
            status: .notFound, kind: "not-hosted-here",
            detail: "\(host) is not hosted here: \(reason) \(spelling)"
                + (hosts.isEmpty ? "No host has one." : "Hosts that have one: \(list)."))
    }
}
