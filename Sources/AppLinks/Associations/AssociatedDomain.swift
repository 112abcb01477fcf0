// One value of the entitlement com.apple.developer.associated-domains: which service an app wants
// to offer for which host, and where the host's file then comes from.
//
// Sources: Apple, "Configuring an associated domain" and TN3155. Left out: the file itself.

/// An associated domain, such as `applinks:example.com` or `applinks:*.example.com?mode=developer`.
public struct AssociatedDomain: Sendable, Hashable {
    /// What an app offers for a host.
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

    /// Another way to the file than Apple's.
    public enum Mode: String, Sendable, CaseIterable {
        /// For apps that were signed for development, on devices with the developer setting on;
        /// the site's certificate may be from a private root.
        case developer
        /// For devices that a company manages, with the profile that says so.
        case managed
        /// Either.
        case developerAndManaged = "developer+managed"

        /// Whether it is for development, where hosts may be addresses and bare names.
        var isDeveloper: Bool { self != .managed }
    }

    /// Whether a host is covered.
    public enum Coverage: Sendable, Hashable {
        /// It is.
        case covered
        /// It is not.
        case notCovered
        /// It is the bare host of a wildcard, about which Apple's documents disagree.
        case contested
    }

    /// What the app offers.
    public let service: Service

    /// The host, in lower case, without the `*.` of a wildcard.
    ///
    /// This is the host whose file is fetched, for a wildcard too.
    public let host: String

    /// Whether it stands for the subdomains of `host`: `*.host`.
    public let isWildcard: Bool

    /// The way to the file; nil for Apple's.
    public let mode: Mode?

    /// Reads a value, in O(length).
    ///
    /// - Throws: the first fault in `text`.
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

    /// Whether `host` is covered for certain; letter case doesn't count.
    ///
    /// A wildcard covers subdomains of any depth. For its bare host this is false: see
    /// `coverage(of:)`.
    public func covers(_ host: String) -> Bool { coverage(of: host) == .covered }

    /// Whether `host` is covered; letter case doesn't count.
    ///
    /// Whether `*.example.com` covers `example.com` is contested: Apple's archived guide says no,
    /// TN3155 and devices that were looked at say yes. Who lists both is right either way.
    public func coverage(of host: String) -> Coverage {
        let host = String(decoding: host.utf8.map(Self.lowered), as: UTF8.self)
        guard isWildcard else { return host == self.host ? .covered : .notCovered }
        if host == self.host { return .contested }
        // The length: a bare ".example.com" has no subdomain before its dot.
        let isBelow = host.hasSuffix("." + self.host) && host.utf8.count > self.host.utf8.count + 1
        return isBelow ? .covered : .notCovered
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }

    /// What its author should know; nil when there is nothing.
    public var note: String? {
        guard isWildcard else { return nil }
        return
            "Whether \(self) covers \(host) itself is contested; list \(service):\(host) as well."
    }

    /// The address from which a device fetches the file.
    ///
    /// Apple's server, which asks the site within a day; with a mode the site itself.
    public var fileURL: String {
        mode == nil
            ? "https://app-site-association.cdn-apple.com/a/v1/\(host)"
            : "https://\(host)/.well-known/apple-app-site-association"
    }
}

extension AssociatedDomain: CustomStringConvertible {
    /// The value as it is written in an entitlement.
    public var description: String {
        "\(service):\(isWildcard ? "*." : "")\(host)\(mode.map { "?mode=\($0.rawValue)" } ?? "")"
    }
}

extension Sequence<AssociatedDomain> {
    /// Those that are consulted for a link to `host`, in the order in which they are.
    ///
    /// The exact host comes first, then the wildcards of its parents, the nearest first; a wildcard
    /// is asked only if what came before it gave no match. Values of one host keep their order. The
    /// wildcard whose bare host it is comes too, though that is contested.
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
