// Classifies a Rezolve link by its site, path and parameters (vendor document 4.4). Both the
// trigger decoder and the launch check use it.
//
// Invariant: offsets of ids refer to the message that they came from, and an invalid id doesn't
// affect the others. Left out: whether the ids exist, and the diagnostics of the other parameters.

import LinkPatterns

/// A classified link.
struct RezolveLink {
    /// A number that the link carries.
    struct ID {
        /// `partner`, `merchant`, `category` or `product`.
        let name: String
        /// The decoded text.
        let text: ArraySlice<UInt8>
        /// The number; nil if the text is not a number.
        let number: Int?
        let place: Place
    }

    /// A byte position in the message.
    struct Place {
        let part: Diagnostic.Part
        let offset: Int
    }

    let path: RezolvePath

    /// The form of the link; nil for a custom URL, which is for the browser.
    let form: RezolveForm?

    /// The ids in order; empty for an engagement, a custom URL, and an instant link whose path is
    /// missing or broken.
    let ids: [ID]

    /// Number of components in the place of the ids; nil if the link can't have ids.
    let componentCount: Int?

    /// The first surplus component, or the end of the components.
    private let surplus: Place

    /// The link's own text, for people.
    private let bytes: [UInt8]

    private static let names = ["partner", "merchant", "category", "product"]

    /// Classifies a link.
    ///
    /// - Parameters:
    ///   - path: the link's own.
    ///   - message: the parsed link, with duplicates resolved.
    init(_ path: RezolvePath, of message: Message) {
        self.path = path
        bytes = message.bytes(of: .target)
        form = Self.form(path, message)
        var pieces: [(text: ArraySlice<UInt8>, place: Place)]?
        var end = Place(part: .target, offset: Self.end(of: bytes))
        switch form {
        case .trigger: pieces = Self.components(of: path, in: bytes)
        case .instant:
            guard let parameter = message.parameter("path") else { break }
            let text = message.value(of: parameter)
            end = Place(part: text.part, offset: text.range.upperBound)
            pieces = Self.components(of: text)
        case .engagement, nil: break
        }
        componentCount = pieces?.count
        surplus = pieces?.dropFirst(Self.names.count).first?.place ?? end
        ids = zip(Self.names, pieces ?? []).map { name, piece in
            let text = String(decoding: piece.text, as: UTF8.self)
            let number = RezolveForm.isNumber(text) ? Int(text) : nil
            return ID(name: name, text: piece.text, number: number, place: piece.place)
        }
    }

    /// Whether the number of components is valid for ids.
    var isComplete: Bool { componentCount.map { (3...4).contains($0) } ?? false }

    /// A non-empty `engagementid` is used on every host, as in the vendor's iOS sample.
    private static func form(_ path: RezolvePath, _ message: Message) -> RezolveForm? {
        func has(_ name: String) -> Bool {
            message.parameter(name).map { !$0.valueRange.isEmpty } ?? false
        }
        if has("engagementid") { return .engagement }
        switch path.site {
        case .other: return nil
        case .engagements, .callbacks: return .engagement
        case .triggers, .sandbox: break
        }
        guard path.components.count == 1 else { return .trigger }
        let word = message.bytes(of: .target)[path.components[0]]
        if word.elementsEqual("resolve".utf8) { return .engagement }
        guard word.elementsEqual("instant".utf8) else { return .trigger }
        // Both kinds of links have this path; an empty parameter shows which was meant.
        return message.parameter("engagementid") != nil && !has("path") ? .engagement : .instant
    }

    private static func components(
        of path: RezolvePath, in target: [UInt8]
    ) -> [(text: ArraySlice<UInt8>, place: Place)] {
        path.components.map { range in
            let text = EscapedText(part: .target, bytes: target, range: range, escaping: .query)
            return (text.unescaped().bytes, Place(part: .target, offset: range.lowerBound))
        }
    }

    /// The components of an instant link's path; nil if it is broken, which its reader reports.
    private static func components(
        of text: EscapedText
    ) -> [(text: ArraySlice<UInt8>, place: Place)]? {
        var ignored = Findings()
        guard !text.range.isEmpty, let clean = CleanText(text, findings: &ignored) else {
            return nil
        }
        var bytes = clean.bytes
        if bytes.first == UInt8(ascii: "/") { bytes = bytes.dropFirst() }
        if bytes.last == UInt8(ascii: "/") { bytes = bytes.dropLast() }
        let pieces = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return pieces.map { piece in
            let offset = text.sourceOffset(
                ofUnescaped: piece.startIndex - clean.bytes.startIndex)
            return (piece, Place(part: text.part, offset: offset))
        }
    }

    /// The end of the link's path, where a missing component belongs.
    private static func end(of link: [UInt8]) -> Int {
        link.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? link.count
    }
}

extension RezolveLink {
    /// Adds diagnostics about the link's host and ids.
    ///
    /// - Parameter opensApp: whether the link is meant to open an app, so that a link for the
    ///   browser is an error.
    func report(to findings: inout Findings, opensApp: Bool) {
        if let userInfo = path.userInfo {
            findings.add(
                .warning, .url, "userinfo", at: userInfo.lowerBound,
                expected: "no user name before the host", found: "one",
                hint: "it makes a link look like another host's: leave it out, and the @")
        }
        switch form {
        case nil: addCustomURL(to: &findings, opensApp: opensApp)
        case .engagement: addUnusualHost(to: &findings)
        case .trigger, .instant: addIDs(to: &findings)
        }
    }

    private func addIDs(to findings: inout Findings) {
        guard let componentCount else { return }
        guard isComplete else {
            findings.add(
                .error, .url, "bad_trigger", in: surplus.part, at: surplus.offset,
                expected: "partner/merchant/category or partner/merchant/category/product",
                found: componentCount == 1 ? "1 component" : "\(componentCount) components",
                hint: "the SDK calls such a link a bad trigger")
            return
        }
        for id in ids where id.number == nil {
            findings.add(
                .error, .model, "not_an_integer", in: id.place.part, at: id.place.offset,
                expected: "\(id.name): a whole number", found: Excerpt.quoted(id.text),
                hint: "the SDK calls such a link a bad trigger")
        }
        if form == .instant {
            findings.add(
                .info, .model, "uncertain_id_order", in: surplus.part,
                expected: "partner/merchant/category", found: "a path in an instant link",
                hint: "no vendor document gives the order of these ids")
        }
    }

    /// Whether the host imitates Rezolve's, or a reader may confuse them.
    private var resemblesRezolve: Bool {
        guard let host = path.host else { return false }
        if host.contains("rzlv.co") || host.hasSuffix("rezolve.com") { return true }
        guard let stray = path.strayCharacter else { return false }
        let end = bytes[stray...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.count
        let rest = String(decoding: bytes[stray..<end], as: UTF8.self).lowercased()
        return rest.contains("rzlv.co") || rest.contains("rezolve.com")
    }

    private func addUnusualHost(to findings: inout Findings) {
        switch path.site {
        case .engagements, .callbacks, .sandbox: return
        case .triggers where path.host == nil: return
        case .triggers, .other: break
        }
        let isLookalike = path.site == .other && resemblesRezolve
        findings.add(
            .warning, .url, isLookalike ? "lookalike_host" : "unusual_host",
            at: path.strayCharacter ?? 0, expected: "instant.{region}.rezolve.com",
            found: shownOrigin,
            hint: "only the vendor's iOS sample takes an engagement from any host")
    }

    private func addCustomURL(to findings: inout Findings, opensApp: Bool) {
        let (isLookalike, isURL) = (resemblesRezolve, path.host != nil || scheme != nil)
        let severity: Diagnostic.Severity =
            opensApp ? .error : isLookalike || !isURL ? .warning : .info
        let hint =
            if path.strayCharacter != nil {
                "readers disagree about a host with such a character"
            } else if isLookalike {
                "hosts are compared whole: this one is not Rezolve's"
            } else if isURL {
                "a custom URL: the SDK hands it to the browser"
            } else {
                "a link begins with its scheme, as in https://rzlv.co/"
            }
        findings.add(
            severity, .url, isLookalike ? "lookalike_host" : "custom_url",
            at: path.strayCharacter ?? 0, expected: "a link of rzlv.co", found: shownOrigin,
            hint: hint)
    }

    private var scheme: String? { LinkURL(utf8: bytes).scheme }

    /// Host or scheme for people; neither userinfo nor query, which may hold a credential.
    private var shownOrigin: String {
        if let host = path.host {
            return host.isEmpty ? "no host" : Excerpt.quoted(Array(host.utf8)[...])
        }
        if let scheme { return Excerpt.quoted(Array("\(scheme):".utf8)[...]) }
        guard let first = bytes.first, first <= 0x20 else { return "no scheme" }
        return Excerpt.byte(bytes[...]) + " before the link"
    }
}
