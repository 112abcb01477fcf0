// Parses `service:host[?mode=…]` from left to right. It recognises text copied from a browser's
// address bar. Left out: IPv6 addresses, for which no syntax is documented.

import Text

/// A parser of one associated domain.
struct AssociatedDomainParser {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Parses the whole text.
    mutating func parse() throws(AssociatedDomainError) -> AssociatedDomain {
        if bytes.isEmpty {
            throw fault(.empty, at: 0, "The text is empty; write applinks:example.com.")
        }
        if let blank = bytes.firstIndex(where: { $0 <= 0x20 || $0 == 0x7F }) {
            throw fault(.blank, at: blank, "A domain has no blanks; remove this one.")
        }
        let service = try service()
        let start = index
        let isWildcard = bytes[start...].starts(with: "*.".utf8)
        if isWildcard { index += 2 }
        let hostStart = index
        while index < bytes.count, !Self.endsHost(bytes[index]) { index += 1 }
        let host = hostStart..<index
        let mode = try mode(service: service, wildcard: isWildcard, host: host)
        if isWildcard, service == .appclips {
            throw fault(
                .clipWildcard, at: start,
                "App Clips have no wildcards; write appclips:\(text(host)), and one for each "
                    + "subdomain.")
        }
        try check(host: host, mode: mode, isWildcard: isWildcard)
        return AssociatedDomain(
            service: service, host: text(host), isWildcard: isWildcard, mode: mode)
    }

    private func fault(
        _ kind: AssociatedDomainError.Kind, at offset: Int, _ message: String
    ) -> AssociatedDomainError {
        AssociatedDomainError(kind: kind, offset: min(offset, bytes.count), message: message)
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    private static func endsHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: ":"),
            UInt8(ascii: "@"):
            true
        default: false
        }
    }
}

// The text before the host.
extension AssociatedDomainParser {
    private mutating func service() throws(AssociatedDomainError) -> AssociatedDomain.Service {
        let end = bytes.firstIndex { Self.endsHost($0) } ?? bytes.count
        guard end < bytes.count, bytes[end] == UInt8(ascii: ":") else {
            let isService = AssociatedDomain.Service(rawValue: text(0..<end)) != nil
            throw missingService(before: isService ? "example.com" : hostLike(from: 0))
        }
        let word = text(0..<end)
        guard let service = AssociatedDomain.Service(rawValue: word) else {
            let names = AssociatedDomain.Service.allCases.map(\.rawValue)
            if bytes[end...].starts(with: "://".utf8) {
                throw fault(
                    .scheme, at: 0,
                    "Before the host comes a service, not a scheme; write applinks:"
                        + "\(hostLike(from: end + 3)).")
            }
            if let lowered = AssociatedDomain.Service(rawValue: word.lowercased()) {
                throw fault(
                    .upperCase, at: bytes.firstIndex(where: Self.isUpper) ?? 0,
                    "Services are in lower case; write \(lowered).")
            }
            if word.isEmpty || word.utf8.contains(UInt8(ascii: ".")) {
                throw missingService(before: word.isEmpty ? hostLike(from: 1) : word)
            }
            let meant =
                Spelling.nearest(to: word, among: names) ?? "one of "
                + names.joined(separator: ", ")
            throw fault(
                .serviceUnknown, at: 0, "\(word.quoted) is not a service; write \(meant).")
        }
        index = end + 1
        let rest = bytes[index...]
        let scheme = rest.prefix { !Self.endsHost($0) }
        if rest[scheme.endIndex...].starts(with: "://".utf8) || rest.starts(with: "//".utf8) {
            let host = hostLike(
                from: rest.starts(with: "//".utf8) ? index + 2 : scheme.endIndex + 3)
            throw fault(
                .scheme, at: index, "A domain has no scheme; write \(service):\(host).")
        }
        let authority = rest.prefix { ![0x2F, 0x3F, 0x23].contains($0) }
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
            throw fault(
                .user, at: index,
                "A domain has no user name; write \(service):\(hostLike(from: at + 1)).")
        }
        return service
    }

    private func missingService(before host: String) -> AssociatedDomainError {
        fault(
            .serviceMissing, at: 0,
            "The service is missing; write applinks:\(host) for universal links.")
    }

    /// The text from `start` to the end of a host, for suggestions.
    private func hostLike(from start: Int) -> String {
        let start = min(start, bytes.count)
        let end = bytes[start...].firstIndex { Self.endsHost($0) } ?? bytes.count
        return start == end ? "example.com" : text(start..<end)
    }
}

// The text after the host.
extension AssociatedDomainParser {
    /// Parses the text after the host, which can only be a mode.
    private mutating func mode(
        service: AssociatedDomain.Service, wildcard: Bool, host: Range<Int>
    ) throws(AssociatedDomainError) -> AssociatedDomain.Mode? {
        guard index < bytes.count else { return nil }
        let right = "\(service):\(wildcard ? "*." : "")\(host.isEmpty ? "example.com" : text(host))"
        switch bytes[index] {
        case UInt8(ascii: "/"):
            if index == bytes.count - 1 {
                throw fault(
                    .trailingSlash, at: index, "A domain has no / at its end; write \(right).")
            }
            throw fault(
                .path, at: index,
                "A domain has no path; write \(right), and the path into the site's "
                    + "apple-app-site-association file.")
        case UInt8(ascii: "#"):
            throw fault(.fragment, at: index, "A domain has no fragment; write \(right).")
        case UInt8(ascii: ":"):
            if text(host).utf8.first == UInt8(ascii: "[") {
                throw fault(
                    .address, at: host.lowerBound,
                    "A domain is a name, not an IPv6 address; write \(service):example.com.")
            }
            throw fault(
                .port, at: index,
                "A domain has no port: the file is fetched from port 443; write \(right).")
        default: break
        }
        let query = text(index + 1..<bytes.count)
        guard query.hasPrefix("mode=") else {
            throw fault(
                .query, at: index,
                "The only query of a domain is ?mode=developer, ?mode=managed or "
                    + "?mode=developer+managed; write \(right).")
        }
        let value = String(query.dropFirst(5))
        guard let mode = AssociatedDomain.Mode(rawValue: value) else {
            let names = AssociatedDomain.Mode.allCases.map(\.rawValue)
            let isOrder = value == "managed+developer"
            let meant = isOrder ? "developer+managed" : Spelling.nearest(to: value, among: names)
            throw fault(
                value.utf8.contains(UInt8(ascii: "&")) ? .query : .modeUnknown, at: index + 6,
                "\(value.quoted) is not a mode; write "
                    + (meant ?? names.joined(separator: " or ")) + ".")
        }
        return mode
    }
}

// The host.
extension AssociatedDomainParser {
    private func check(
        host: Range<Int>, mode: AssociatedDomain.Mode?, isWildcard: Bool
    ) throws(AssociatedDomainError) {
        if host.isEmpty {
            throw fault(.empty, at: host.lowerBound, "The host is missing; write example.com.")
        }
        for index in host { try check(byteAt: index) }
        var label = host.lowerBound
        for end in host.lowerBound...host.upperBound
        where end == host.upperBound || bytes[end] == UInt8(ascii: ".") {
            try check(label: label..<end)
            label = end + 1
        }
        if host.count > 253 {
            throw fault(.host, at: host.lowerBound + 253, "A host has at most 253 characters.")
        }
        try checkDots(host: host, mode: mode, isWildcard: isWildcard)
    }

    private func check(byteAt index: Int) throws(AssociatedDomainError) {
        switch bytes[index] {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "."):
            return
        case UInt8(ascii: "*"):
            throw fault(
                .wildcard, at: index,
                "A * matches all subdomains, and only as the first label; write *.example.com.")
        case UInt8(ascii: "["), UInt8(ascii: "]"):
            throw fault(
                .address, at: index, "A domain is a name, not an IPv6 address; write example.com.")
        case 0x80...:
            throw fault(
                .nonASCII, at: index,
                "A host is in ASCII; write its Punycode form, in which each label with such a "
                    + "character begins with xn--.")
        case let byte where Self.isUpper(byte):
            throw fault(.upperCase, at: index, "A host is in lower case; write it so.")
        default:
            throw fault(
                .host, at: index,
                "A host has letters, digits, hyphens and dots; remove this character.")
        }
    }

    private func check(label: Range<Int>) throws(AssociatedDomainError) {
        if label.isEmpty {
            throw fault(
                .host, at: label.lowerBound,
                "A label is missing: a host has no dot at either end, and no two in a row; write "
                    + "example.com.")
        }
        if label.count > 63 {
            throw fault(
                .host, at: label.lowerBound + 63, "A label of a host has at most 63 characters.")
        }
        for index in [label.lowerBound, label.upperBound - 1] where bytes[index] == 0x2D {
            throw fault(
                .host, at: index, "A label neither begins nor ends with a hyphen; remove it.")
        }
    }

    /// Addresses and names without a dot are for development; tested devices show this, the
    /// documentation doesn't say it.
    private func checkDots(
        host: Range<Int>, mode: AssociatedDomain.Mode?, isWildcard: Bool
    ) throws(AssociatedDomainError) {
        let labels = bytes[host].split(separator: UInt8(ascii: "."))
        let isAddress = labels.last?.allSatisfy(\.isDigit) ?? false
        if isAddress, isWildcard {
            throw fault(.wildcard, at: host.lowerBound - 2, "An address has no subdomains.")
        }
        if mode?.isDeveloper == true { return }
        if isAddress {
            throw fault(
                .address, at: host.lowerBound,
                "An IP address is for development; write a name such as example.com, or add "
                    + "?mode=developer.")
        }
        if labels.count < 2 {
            throw fault(
                .dotless, at: host.lowerBound,
                "A name without a dot is for development; write it in full, such as example.com, or "
                    + "add ?mode=developer.")
        }
    }

    private static func isUpper(_ byte: UInt8) -> Bool {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
    }
}
