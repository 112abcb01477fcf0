// One value of the entitlement com.apple.developer.associated-domains: the service that an app
// offers for a host, and where the host's file is fetched from.
//
// Sources: Apple, "Configuring an associated domain" and TN3155. Left out: the file itself.

import Text

/// An associated domain, such as `applinks:example.com` or `applinks:*.example.com?mode=developer`.
public struct AssociatedDomain: Sendable, Hashable {
    /// A service that an app offers for a host.
    public enum Service: String, Sendable, CaseIterable {
        /// Universal links.
        case applinks
        /// Shared passwords and passkeys.
        case webcredentials
        /// App Clips.
        case appclips
        /// Handoff.
        case activitycontinuation
    }

    /// An alternative to fetching the file from Apple's server.
    public enum Mode: String, Sendable, CaseIterable {
        /// For apps signed for development, on devices with the developer setting on; the site's
        /// certificate may have a private root.
        case developer
        /// For devices managed by a company, with a profile that allows it.
        case managed
        /// Either.
        case developerAndManaged = "developer+managed"

        /// Whether it is for development, where hosts may be addresses and names without a dot.
        var isDeveloper: Bool { self != .managed }
    }

    /// Whether a host is covered.
    public enum Coverage: Sendable, Hashable {
        /// The host is covered.
        case covered
        /// The host is not covered.
        case notCovered
        /// The host is the bare host of a wildcard; Apple's documents disagree about it.
        case contested
    }

    /// The service that the app offers.
    public let service: Service

    /// The host in lowercase, without the `*.` of a wildcard.
    ///
    /// The file is fetched from this host, for a wildcard too.
    public let host: String

    /// Whether it covers the subdomains of `host`: `*.host`.
    public let isWildcard: Bool

    /// How the file is fetched; nil for Apple's server.
    public let mode: Mode?

    /// Parses a value, in O(length).
    ///
    /// - Throws: the first error in `text`.
    public init(_ text: String) throws(AssociatedDomainError) {
        var parser = AssociatedDomainParser(text)
        self = try parser.parse()
    }

    init(service: Service, host: String, isWildcard: Bool, mode: Mode?) {
        self.service = service
        self.host = host
        self.isWildcard = isWildcard
        self.mode = mode
    }

    /// Whether `host` is certainly covered; ignores case, and the dot at the end of a rooted name.
    ///
    /// A wildcard covers subdomains of any depth. For its bare host this is false: see
    /// `coverage(of:)`.
    public func covers(_ host: String) -> Bool { coverage(of: host) == .covered }

    /// Whether `host` is covered; ignores case, and the dot at the end of a rooted name.
    ///
    /// Whether `*.example.com` covers `example.com` is contested: Apple's archived guide says no,
    /// TN3155 and tested devices say yes. Listing both is safe either way.
    public func coverage(of host: String) -> Coverage {
        let host = String(decoding: Self.name(of: host), as: UTF8.self)
        guard isWildcard else { return host == self.host ? .covered : .notCovered }
        if host == self.host { return .contested }
        // The length check excludes a bare ".example.com", which has no subdomain before its dot.
        let isBelow = host.hasSuffix("." + self.host) && host.utf8.count > self.host.utf8.count + 1
        return isBelow ? .covered : .notCovered
    }

    /// A host as hosts are compared: in ASCII lower case, without the dot of a rooted name.
    static func name(of host: String) -> [UInt8] {
        let name = host.utf8.map(\.lowercased)
        return name.count > 1 && name.last == UInt8(ascii: ".") ? Array(name.dropLast()) : name
    }

    /// What its author should know; nil if there is nothing.
    public var note: String? {
        guard isWildcard else { return nil }
        return
            "Whether \(self) covers \(host) itself is contested; list \(service):\(host) as well."
    }

    /// The URL from which a device fetches the file.
    ///
    /// Without a mode it is Apple's server, which fetches from the site within a day; with a mode
    /// it is the site itself.
    public var fileURL: String {
        mode == nil
            ? "https://app-site-association.cdn-apple.com/a/v1/\(host)"
            : "https://\(host)/.well-known/apple-app-site-association"
    }
}

extension AssociatedDomain: CustomStringConvertible {
    /// The value as in an entitlement.
    public var description: String {
        "\(service):\(isWildcard ? "*." : "")\(host)\(mode.map { "?mode=\($0.rawValue)" } ?? "")"
    }
}

extension Sequence<AssociatedDomain> {
    /// The values that are consulted for a link to `host`, in order.
    ///
    /// The exact host comes first, then the wildcards of its parents, nearest first; a wildcard is
    /// used only if those before it didn't match. Values of one host keep their order. A wildcard
    /// is consulted for its own bare host too, though that is contested.
    public func consulted(
        for host: String, service: AssociatedDomain.Service
    ) -> [AssociatedDomain] {
        filter { $0.service == service && $0.coverage(of: host) != .notCovered }
            .enumerated()
            .sorted { left, right in
                let (first, second) = (left.element, right.element)
                if first.isWildcard != second.isWildcard { return second.isWildcard }
                let (length, other) = (first.host.utf8.count, second.host.utf8.count)
                return length == other ? left.offset < right.offset : length > other
            }
            .map(\.element)
    }
}
