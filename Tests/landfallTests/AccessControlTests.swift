// Which requests an endpoint answers: the whole table of method, browser's fields, token and host.

import Foundation
import Testing
import Vendors

@testable import HTTP1
@testable import Problems
@testable import RezolveSandbox
@testable import Server

@Suite struct AccessControlTests {
    private static let token = "a-token-of-the-tests"
    private static let allowed = "https://qa.example.com"
    private static let evil = "https://evil.example"
    private static let api = Endpoint.work(.query(.results))
    private static let wait = Endpoint.work(.wait)
    private static let launch = Endpoint.work(.emulate(.flux, isOwnHost: false))
    private static let trigger = Endpoint.work(.rezolve(.trigger))

    private func request(
        _ method: Request.Method = .get, host: String = "localhost:8080",
        with fields: [(String, String?)] = []
    ) throws -> Request {
        let lines = fields.compactMap { name, value in value.map { "\(name): \($0)\r\n" } }
        let head = "\(method.rawValue) / HTTP/1.1\r\nHost: \(host)\r\n\(lines.joined())\r\n"
        return try #require(Request(Array(head.utf8)))
    }

    /// The status of the refusal; nil when the endpoint may answer.
    private func refusal(
        of request: Request, at endpoint: Endpoint, token: String? = nil
    ) -> (status: Int, kind: String)? {
        let access = AccessControl(
            token: token, hosts: ["hooks.example"],
            crossOrigin: CrossOrigin(allowed: [Self.allowed]))
        do throws(Problem) {
            try access.check(request, at: endpoint) { $0 == "site.example" }
            return nil
        } catch {
            return (error.status.code, error.kind)
        }
    }

    /// `Sec-Fetch-Site`, `Origin`, and whether they say that a page of another site asks.
    private static let senders: [(site: String?, origin: String?, isForeign: Bool)] = [
        (nil, nil, false), (nil, "http://localhost:8080", false),
        (nil, "HTTP://LOCALHOST:8080", false), (nil, allowed, false),
        (nil, "https://localhost:8080", true), (nil, "http://localhost", true),
        (nil, "http://localhost:3000", true), (nil, "http://a.localhost:8080", true),
        (nil, "http://127.0.0.1:8080", true), (nil, evil, true), (nil, "null", true),
        (nil, "", true),
        ("same-origin", nil, false), ("same-origin", "http://localhost:8080", false),
        ("same-origin", "null", false), ("none", nil, false),
        ("same-site", nil, true), ("same-site", "http://localhost:3000", true),
        ("same-site", allowed, false), ("cross-site", nil, true), ("cross-site", evil, true),
        ("cross-site", "null", true), ("cross-site", allowed, false), ("Same-Origin", nil, true),
        ("", nil, true),
    ]

    /// How the token is sent: not at all, by a program, or by a browser that remembers it.
    private static let credentials: [String?] = [
        nil, "Bearer \(token)",
        "Basic " + Data("qa:\(token)".utf8).base64EncodedString(),
    ]

    @Test(
        "RFC 9110 §9.2.1, WHATWG Fetch §3.2: pages of other sites change nothing and ask nothing",
        arguments: [Request.Method.get, .head, .options, .post, .put, .patch, .delete], senders)
    func pagesOfOtherSitesChangeAndAskNothing(
        method: Request.Method, sender: (site: String?, origin: String?, isForeign: Bool)
    ) throws {
        let isSafe = [.get, .head, .options].contains(method)
        for credential in Self.credentials {
            let request = try request(
                method,
                with: [
                    ("Sec-Fetch-Site", sender.site), ("Origin", sender.origin),
                    ("Authorization", credential),
                ])
            let launches = sender.isForeign && method != .options ? 403 : nil
            // What is only read is refused if the browser names the site.
            let answers = isSafe && sender.site == nil ? nil : launches
            let place = "\(method) \(sender) \(credential ?? "")"
            // An open server, and one that asks for the token.
            for endpoint in [Self.api, Self.wait] {
                #expect(refusal(of: request, at: endpoint)?.status == answers, "\(place)")
            }
            #expect(
                refusal(of: request, at: Self.api, token: Self.token)?.status
                    == (credential == nil ? 401 : answers), "\(place)")
            for token in [nil, Self.token] {
                for endpoint in [Self.launch, Self.trigger] {
                    let status = refusal(of: request, at: endpoint, token: token)?.status
                    #expect(status == launches, "\(place)")
                }
                for endpoint in [Endpoint.work(.callbacks), .associationFile, .health] {
                    #expect(refusal(of: request, at: endpoint, token: token) == nil, "\(place)")
                }
            }
        }
    }

    @Test(
        "W3C Fetch Metadata: a followed link opens launches and shows results, nothing else does",
        arguments: [
            (Request.Method.get, "navigate", "document", nil, true),
            (.head, "navigate", "document", nil, true),
            (.post, "navigate", "document", nil, false),
            (.get, "navigate", "iframe", nil, false), (.get, "navigate", "object", nil, false),
            (.get, "navigate", "document", "prefetch", false),
            (.get, "navigate", "document", "prefetch;prerender", false),
            (.get, "no-cors", "image", nil, false), (.get, "no-cors", "document", nil, false),
            (.get, "cors", "empty", nil, false), (.get, "websocket", "websocket", nil, false),
            (.get, nil, nil, nil, false), (.get, "navigate", nil, nil, false),
        ] as [(Request.Method, String?, String?, String?, Bool)])
    func onlyFollowedLinksOpenLaunches(
        method: Request.Method, mode: String?, destination: String?, purpose: String?, opens: Bool
    ) throws {
        for site in ["cross-site", "same-site"] {
            let request = try request(
                method,
                with: [
                    ("Sec-Fetch-Site", site), ("Sec-Fetch-Mode", mode),
                    ("Sec-Fetch-Dest", destination), ("Sec-Purpose", purpose),
                ])
            #expect((refusal(of: request, at: Self.launch) == nil) == opens)
            // What the token protects is shown by a link, and changed by none.
            #expect((refusal(of: request, at: Self.api) == nil) == opens)
        }
    }

    @Test(
        "Chromium asks for a foreign page's speculation rules with Sec-Fetch-Site: none",
        arguments: ["none", "same-origin", "cross-site", nil])
    func whatIsFetchedAheadOpensNoLaunch(site: String?) throws {
        let request = try request(
            .get,
            with: [
                ("Sec-Fetch-Site", site), ("Sec-Fetch-Mode", "navigate"),
                ("Sec-Fetch-Dest", "document"), ("Sec-Purpose", "prefetch"),
            ])
        #expect(refusal(of: request, at: Self.launch)?.kind == "other-site")
        #expect((refusal(of: request, at: Self.api) == nil) == (site != "cross-site"))
    }

    @Test func aBrowserThatDoesNotSayItsSiteIsForeign() throws {
        let image = try request(with: [("Sec-Fetch-Dest", "image"), ("Sec-Fetch-Mode", "no-cors")])
        #expect(refusal(of: image, at: Self.launch)?.kind == "other-site")
    }

    @Test(
        "RFC 6454 §4: scheme, host and port are the server's own origin",
        arguments: [
            (false, "a.localhost", "http://a.localhost", true),
            (false, "a.localhost:80", "http://a.localhost", true),
            (true, "a.localhost", "https://a.localhost", true),
            (true, "a.localhost:443", "https://a.localhost", true),
            (true, "a.localhost:443", "http://a.localhost", false),
            (true, "a.localhost:80", "https://a.localhost", false),
            (false, "[::1]:8080", "http://[::1]:8080", true),
            (false, "[::1]", "http://[::1]:8080", false),
            (true, "a.localhost:8443", "https://a.localhost:8443", true),
        ])
    func originsAreComparedWhole(
        isSecure: Bool, host: String, origin: String, isOwn: Bool
    ) throws {
        var request = try request(.post, host: host, with: [("Origin", origin)])
        request.origin = RequestOrigin(client: request.origin.client, isSecure: isSecure)
        #expect((refusal(of: request, at: Self.api) == nil) == isOwn)
    }

    @Test("what a trusted proxy was asked for is the own origin")
    func theProxysHostIsTheOwnOrigin() throws {
        var request = try request(.post, with: [("Origin", "https://api.example")])
        #expect(refusal(of: request, at: Self.launch, token: Self.token)?.status == 403)
        request.origin = RequestOrigin(
            client: request.origin.client, isSecure: true, host: Array("api.example".utf8))
        #expect(refusal(of: request, at: Self.launch, token: Self.token) == nil)
    }

    @Test(
        "RFC 9110 §15.5.20: an open server answers for its own hosts only",
        arguments: [
            ("localhost", true), ("LOCALHOST:8080", true), ("localhost.:8080", true),
            ("a.b.localhost:1", true), ("127.0.0.1:8080", true), ("127.8.9.10", true),
            ("[::1]:8080", true), ("site.example", true), ("hooks.example:8080", true),
            ("welltory.com", true), ("rzlv.co", true), ("evil.example", false),
            ("evil.example:8080", false), ("localhost.evil.example", false),
            ("evillocalhost", false), ("127.0.0.1.evil.example", false), ("10.0.0.1", false),
            ("0.0.0.0", false), ("[::2]", false), ("a.site.example", false),
        ])
    func openServersAnswerOwnHosts(host: String, isOwn: Bool) throws {
        let request = try request(host: host)
        for endpoint in [Self.api, .work(.planEmulator), .work(.decode), Self.launch, Self.trigger]
        {
            let found = refusal(of: request, at: endpoint)
            #expect(found?.status == (isOwn ? nil : 421))
            #expect(found?.kind == (isOwn ? nil : "unknown-host"))
        }
        for endpoint in [Endpoint.work(.callbacks), .associationFile, .health] {
            #expect(refusal(of: request, at: endpoint) == nil)
        }
        // Who has the token is no page of another name.
        #expect(refusal(of: request, at: Self.api, token: Self.token)?.status == 401)
        #expect(refusal(of: request, at: Self.launch, token: Self.token) == nil)
    }

    @Test(
        "an open server answers nothing that a proxy or tunnel passes on",
        arguments: [
            ("Forwarded", true), ("X-Forwarded-For", true), ("x-forwarded-proto", true),
            ("X-Forwarded-Host", true), ("Via", true), ("X-Real-IP", true),
            ("CF-Connecting-IP", true), ("CF-Ray", true), ("CDN-Loop", true),
            ("True-Client-IP", true), ("Ngrok-Auth-User-Email", true),
            ("Tailscale-User-Login", true), ("Fly-Client-IP", true), ("X-Request-Id", false),
            ("Viaduct", false), ("Referer", false), ("User-Agent", false),
        ])
    func openServersAnswerNoProxies(name: String, isProxyField: Bool) throws {
        let request = try request(with: [(name, "1.2.3.4")])
        for endpoint in [Self.api, .work(.planEmulator), Self.launch] {
            let found = refusal(of: request, at: endpoint)
            #expect(found?.status == (isProxyField ? 403 : nil))
            #expect(found?.kind == (isProxyField ? "proxied" : nil))
        }
        #expect(refusal(of: request, at: .work(.callbacks)) == nil)
        #expect(refusal(of: request, at: .associationFile) == nil)
        #expect(refusal(of: request, at: Self.launch, token: Self.token) == nil)
    }

    @Test func whatWasStoredInTheSandboxNeedsTheToken() throws {
        let submissions = Endpoint.work(.rezolve(.submissions))
        #expect(refusal(of: try request(), at: submissions, token: Self.token)?.status == 401)
        let entity = try request(with: [("Authorization", "Bearer an-entity's-own-login-token")])
        #expect(refusal(of: entity, at: submissions, token: Self.token)?.status == 401)
        let reader = try request(with: [("Authorization", "Bearer \(Self.token)")])
        #expect(refusal(of: reader, at: submissions, token: Self.token) == nil)
        #expect(refusal(of: try request(), at: submissions) == nil)
    }

    @Test(arguments: [
        "Bearer", "Bearer ", "Bearer a-token-of-the-test", "Bearer a-token-of-the-tests2",
        "Basic YTp4", "Basic ?", "Digest a-token-of-the-tests", "a-token-of-the-tests",
    ])
    func otherCredentialsAreRefused(value: String) throws {
        let request = try request(with: [("Authorization", value)])
        #expect(refusal(of: request, at: Self.api, token: Self.token)?.status == 401)
    }
}
