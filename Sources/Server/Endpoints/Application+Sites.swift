// The hosted sites: their files with findings, who fetched them, and what another version of a file
// would change.

import AppLinks
import HTTP1
import JSON
import LinkHosting
import Problems
import ResultAPI

extension Application {
    /// `GET /api/v1/sites`: the sites by host.
    func listSites(_ request: Request) throws(Problem) -> Response {
        try QueryParameters(request).requireNone()
        let byHost = sites.current.byHost
        var json = JSONWriter(reservingCapacity: 4096)
        json.object { json in
            json.array("sites") { json in
                for (host, site) in byHost.sorted(by: { $0.key < $1.key }) {
                    write(host, site, to: &json)
                }
            }
        }
        return ResultAPI.uncached(json.bytes, isCompressible: true)
    }

    private func write(_ host: String, _ site: Sites.Site, to json: inout JSONWriter) {
        json.object { json in
            json.member("host", host)
            json.array("receivers") { json in
                for receiver in routes.receivers where receiver.host == host {
                    json.object { json in
                        json.member("path", receiver.path)
                        json.member("vendor", receiver.vendor.rawValue)
                    }
                }
            }
            json.array("files") { json in
                if let file = site.association { Self.write(file, .association, to: &json) }
                if let file = site.assetLinks { Self.write(file, .assetLinks, to: &json) }
            }
            json.objects("fetches", of: fetches.fetches(of: host)) { json, fetch in
                json.member("by", fetch.fetcher.rawValue)
                json.member("path", fetch.path)
                json.member("at", fetch.time.description)
                json.member("status", fetch.status)
            }
        }
    }

    private static func write(
        _ file: LinkFile, _ kind: HostedFile.Kind, to json: inout JSONWriter
    ) {
        let severities = Set(file.findings.map(\.severity))
        let state =
            severities.contains(.error)
            ? "errors" : severities.contains(.warning) ? "warnings" : "ok"
        json.object { json in
            json.member("path", kind.path)
            json.member("platform", kind == .association ? "apple" : "android")
            json.member("state", state)
            json.array("findings") { json in
                for finding in file.findings { finding.write(to: &json) }
            }
            json.member("bytes", file.content.count)
        }
    }

    /// `POST /api/v1/associations/diff`: what another version of a served file would change.
    func compareLinkFile(
        _ request: Request, over connection: inout Connection
    ) async throws(Problem) -> Response {
        try QueryParameters(request).requireNone()
        let members = try JSONMembers(
            try await connection.content(upTo: Self.lintedBytes * 2),
            known: ["host", "path", "content"])
        guard let host = try members.text("host")?.lowercased() else {
            throw JSONMembers.refusal("host", "Give the host of a site.")
        }
        guard let content = try members.text("content") else {
            throw JSONMembers.refusal("content", "Give the other version of the file.")
        }
        let paths = HostedFile.Kind.allCases.map(\.path)
        let path = try members.text("path") ?? paths[0]
        guard let kind = HostedFile.Kind.allCases.first(where: { $0.path == path }) else {
            throw JSONMembers.refusal("path", "Expected one of \(paths.joined(separator: ", ")).")
        }
        let site = sites.current.site(of: host)
        guard let file = kind == .association ? site?.association : site?.assetLinks else {
            throw Problem(
                status: .notFound, kind: "not-hosted-here",
                detail: "\(host) has no file at \(path) here: GET /api/v1/sites lists the sites.")
        }
        return try await api.largeWork.run { () throws(Problem) in
            let old = try Self.document(file.content, kind, "The served file")
            let new = try Self.document(Array(content.utf8), kind, "The other version")
            let changes = Self.changes(from: old, to: new)
            return ResultAPI.uncached(changes.bytes, isCompressible: true)
        }
    }

    private static func document(
        _ content: [UInt8], _ kind: HostedFile.Kind, _ name: String
    ) throws(Problem) -> JSONNode {
        do throws(JSONFault) {
            // Apple's may be signed.
            if kind == .association {
                return try AppSiteAssociation(reading: content).document.root
            }
            return try JSONDocument(parsing: content).root
        } catch {
            throw Problem(
                status: .conflict, kind: "invalid-link-file",
                detail: "\(name) is invalid JSON: expected \(error.expected), found "
                    + "\(error.found), in line \(error.position.line).")
        }
    }

    /// Maximum number of changes that are listed.
    package static let listedChanges = 500

    /// Maximum bytes of a value in a change.
    private static let changedBytes = 4096

    private static func changes(from old: JSONNode, to new: JSONNode) -> JSONWriter {
        var json = JSONWriter(reservingCapacity: 4096)
        var count = 0
        json.beginObject()
        json.key("changes")
        json.beginArray()
        JSONDifference.find(old, new, at: "") { pointer, before, after in
            count += 1
            guard count <= listedChanges else { return }
            json.object { json in
                let kind = before == nil ? "added" : after == nil ? "removed" : "changed"
                json.member("kind", kind)
                json.member("pointer", pointer)
                json.member("before", before.map(excerpt))
                json.member("after", after.map(excerpt))
            }
        }
        json.endArray()
        json.member("count", count)
        json.endObject()
        return json
    }

    private static func excerpt(_ node: JSONNode) -> String {
        let text = String(decoding: node.text.prefix(changedBytes), as: UTF8.self)
        return node.text.count > changedBytes ? text + "…" : text
    }
}
