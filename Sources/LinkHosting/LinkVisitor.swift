// Classifies the client that follows a link: a person's browser, or a program that fetches links
// before anyone taps them. User agent and header fields of the request identify it.

import HTTP1
import Problems

/// The kind of client that requested a URL.
package enum LinkVisitor: String, Sendable, CaseIterable {
    /// A browser that a person uses.
    case browser
    /// Fetches link files for Apple's devices: `AASA-Bot`, `swcd`.
    case appleFetcher = "apple_fetcher"
    /// Fetches link files for Google's devices: `Google-Digital-Asset-Links`, `Statement List`.
    case googleFetcher = "google_fetcher"
    /// Draws a preview of a link in a message, or prefetches a page.
    case preview
    /// Indexes the web for a search engine or an archive.
    case crawler
    /// Anything else: back ends, curl, tests.
    case program

    /// Whether the client follows links, so that an app on its device could open instead.
    package var followsLinks: Bool {
        switch self {
        case .browser, .program: true
        case .appleFetcher, .googleFetcher, .preview, .crawler: false
        }
    }

    /// Classifies a request.
    package init(_ request: Request) {
        self.init(
            userAgent: request.first(.userAgent).map { String(decoding: $0, as: UTF8.self) } ?? "",
            purpose: Self.purpose(of: request), acceptsPages: request.acceptsPages)
    }

    /// - Parameters:
    ///   - purpose: of `Sec-Purpose`, `Purpose` and `X-Purpose`.
    ///   - acceptsPages: whether `Accept` names `text/html`.
    package init(userAgent: String, purpose: String = "", acceptsPages: Bool = true) {
        let agent = userAgent.lowercased()
        let has = { (words: [String]) in words.contains { agent.contains($0) } }
        if has(["aasa-bot"]) || agent.hasPrefix("swcd") {
            self = .appleFetcher
        } else if has(Self.assetLinkFetchers) {
            self = .googleFetcher
        } else if !purpose.isEmpty || has(Self.previews) {
            self = .preview
        } else if has(Self.crawlers) {
            self = .crawler
        } else if agent.hasPrefix("mozilla/"), acceptsPages {
            self = .browser
        } else {
            self = .program
        }
    }

    /// The purpose of a speculative request, such as `prefetch`; empty for other requests.
    package static func purpose(of request: Request) -> String {
        let fields: [FieldName] = [.secPurpose, .purpose, .xPurpose, .xMoz]
        let values = fields.flatMap { request.values($0) }
            .map { String(decoding: $0, as: UTF8.self).lowercased() }
        return values.first { value in
            ["prefetch", "prerender", "preview"].contains { value.contains($0) }
        } ?? ""
    }

    private static let assetLinkFetchers = ["google-digital-asset-links", "digitalassetlinks"]

    private static let previews = [
        "facebookexternalhit", "facebot", "twitterbot", "slackbot", "slack-imgproxy", "whatsapp",
        "telegrambot", "discordbot", "linkedinbot", "skypeuripreview", "microsoftpreview",
        "redditbot", "pinterestbot", "vkshare", "viber", "snap url preview", "iframely", "embedly",
        "outbrain", "mattermost-bot", "bitlybot", "signal-", "line-poker", "google-pagerenderer",
    ]

    private static let crawlers = [
        "googlebot", "google-inspectiontool", "googleother", "adsbot-google", "storebot-google",
        "mediapartners-google", "bingbot", "bingpreview", "applebot", "duckduckbot", "baiduspider",
        "yandexbot", "ahrefsbot", "semrushbot", "mj12bot", "dotbot", "petalbot", "gptbot",
        "claudebot", "ccbot", "bytespider", "amazonbot", "ia_archiver", "archive.org_bot",
        "crawler", "spider",
    ]
}

extension FieldName {
    static let userAgent = FieldName("user-agent")
    static let secPurpose = FieldName("sec-purpose")
    static let purpose = FieldName("purpose")
    static let xPurpose = FieldName("x-purpose")
    static let xMoz = FieldName("x-moz")
}
