// Chooses between the two codings that the server supports, identity and gzip, by the client's
// preference. Names are compared as whole tokens. Left out: other codings, and how a representation
// is coded.

import Text

/// The Accept-Encoding field of a request (RFC 9110 §12.5.3).
struct AcceptEncoding: Sendable {
    /// The coding of a response.
    enum Choice: Sendable, Equatable {
        case identity
        case gzip
        /// The client accepts neither.
        case none
    }

    /// Weight in thousandths, 0 if refused; nil if no member names identity, which is then
    /// acceptable.
    private let identity: Int?

    /// Weight in thousandths, 0 if refused or not listed.
    private let gzip: Int

    /// Parses the field's lines; an empty list means that the client states no preference.
    ///
    /// Malformed members are skipped one by one. If a coding is named twice, the higher weight is
    /// used; x-gzip is gzip (RFC 9110 §8.4.1.3). O(size).
    init(_ values: [ArraySlice<UInt8>]) {
        var identity: Int?
        var gzip: Int?
        var others: Int?
        for member in values.flatMap(Request.tokens) {
            let name = member.prefix(while: OctetSet.token.contains)
            guard !name.isEmpty, let weight = Self.weight(member[name.endIndex...]) else {
                continue
            }
            if name.equalsIgnoringCase("identity".utf8) {
                identity = max(identity ?? 0, weight)
            } else if name.equalsIgnoringCase("gzip".utf8)
                || name.equalsIgnoringCase("x-gzip".utf8)
            {
                gzip = max(gzip ?? 0, weight)
            } else if name.elementsEqual("*".utf8) {
                others = max(others ?? 0, weight)
            }
        }
        self.identity = identity ?? others
        self.gzip = gzip ?? others ?? 0
    }

    /// The coding of the response; the smaller one if the client has no preference.
    ///
    /// O(1).
    func choice(gzipIsSmaller: Bool) -> Choice {
        if gzip == 0 { return identity == 0 ? .none : .identity }
        if identity == 0 { return .gzip }
        if let identity, identity != gzip { return identity > gzip ? .identity : .gzip }
        return gzipIsSmaller ? .gzip : .identity
    }

    /// Parses `[ OWS ";" OWS "q=" qvalue ]`, in thousandths (RFC 9110 §12.4.2); 1000 if empty.
    private static func weight(_ text: ArraySlice<UInt8>) -> Int? {
        let parameter = text.drop(while: \.isBlank)
        if parameter.isEmpty { return 1000 }
        guard parameter.first == UInt8(ascii: ";") else { return nil }
        let argument = parameter.dropFirst().drop(while: \.isBlank)
        guard argument.prefix(2).equalsIgnoringCase("q=".utf8) else { return nil }
        return QualityValue.thousandths(argument.dropFirst(2))
    }
}
