// Classifies the client that follows a link: a person's browser, or a program that fetches links
// before anyone taps them. User agent and header fields of the request identify it.

import HTTP1
import Problems
import Text

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
    var followsLinks: Bool {
        switch self {
        case .browser, .program: true
        case .appleFetcher, .googleFetcher, .preview, .crawler: false
        }
    }

    /// Classifies a request.
    init(_ request: Request) {
        self.init(
            userAgent: request.first(.userAgent).map { String(decoding: $0, as: UTF8.self) } ?? "",
            purpose: Self.purpose(of: request), acceptsPages: request.acceptsPages)
    }

    /// - Parameters:
    ///   - purpose: of `Sec-Purpose`, `Purpose` and `X-Purpose`.
    ///   - acceptsPages: whether `Accept` names `text/html`.
    init(userAgent: String, purpose: String = "", acceptsPages: Bool = true) {
        let agent = userAgent.lowercased()
        let has = { (words: [String]) in words.contains { agent.contains($0) } }
        if let fetcher = LinkFetcher(userAgent: Array(agent.utf8)[...]) {
            self = fetcher == .apple ? .appleFetcher : .googleFetcher
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

/// The systems that fetch link files for devices.
package enum LinkFetcher: String, Sendable {
    /// `AASA-Bot` for Apple's content delivery network, `swcd` on devices.
    case apple
    /// `Google-Digital-Asset-Links`, `DigitalAssetLinks`.
    case google

    /// The fetcher that sent a request, by its user agent; nil for any other client.
    package init?(_ request: Request) {
        guard let agent = request.first(.userAgent) else { return nil }
        self.init(userAgent: agent)
    }

    /// O(size), without allocating.
    init?(userAgent: ArraySlice<UInt8>) {
        if Self.begins(userAgent, with: Self.daemon, at: userAgent.startIndex)
            || Self.contains(userAgent, Self.bot)
        {
            self = .apple
        } else if Self.contains(userAgent, Self.assetLinks)
            || Self.contains(userAgent, Self.oldAssetLinks)
        {
            self = .google
        } else {
            return nil
        }
    }

    private static let daemon = Array("swcd".utf8)
    private static let bot = Array("aasa-bot".utf8)
    private static let assetLinks = Array("google-digital-asset-links".utf8)
    private static let oldAssetLinks = Array("digitalassetlinks".utf8)

    /// Whether a word in lower case occurs, in any case.
    private static func contains(_ text: ArraySlice<UInt8>, _ word: [UInt8]) -> Bool {
        text.indices.contains { begins(text, with: word, at: $0) }
    }

    private static func begins(
        _ text: ArraySlice<UInt8>, with word: [UInt8], at start: Int
    ) -> Bool {
        guard text.endIndex - start >= word.count else { return false }
        for (offset, letter) in word.enumerated()
        where text[start + offset].lowercased != letter { return false }
        return true
    }
}

extension FieldName {
    static let secPurpose = FieldName("sec-purpose")
    static let purpose = FieldName("purpose")
    static let xPurpose = FieldName("x-purpose")
    static let xMoz = FieldName("x-moz")
}
