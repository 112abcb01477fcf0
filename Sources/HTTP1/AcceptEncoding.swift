// Which of the two codings that are served here, identity and gzip, a client prefers. Names are
// compared as whole tokens. Left out: other codings, and what a representation is coded from.

import Text

/// The Accept-Encoding field of a request (RFC 9110 §12.5.3).
struct AcceptEncoding: Sendable {
    /// The coding of an answer.
    enum Choice: Sendable, Equatable {
        case identity
        case gzip
        /// The client takes neither.
        case none
    }

    /// In thousandths, 0 for what is refused; nil when no member speaks of identity, which is
    /// acceptable then.
    private let identity: Int?

    /// In thousandths, 0 for what is refused or not asked for.
    private let gzip: Int

    /// Reads the field's lines; none means that the client doesn't speak of codings.
    ///
    /// Members off the grammar are skipped, one by one. Of a coding that is named twice the higher
    /// weight counts, and x-gzip is gzip (RFC 9110 §8.4.1.3). O(size).
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

    /// The coding to answer with; the smaller one where the client is indifferent.
    ///
    /// O(1).
    func choice(gzipIsSmaller: Bool) -> Choice {
        if gzip == 0 { return identity == 0 ? .none : .identity }
        if identity == 0 { return .gzip }
        if let identity, identity != gzip { return identity > gzip ? .identity : .gzip }
        return gzipIsSmaller ? .gzip : .identity
    }

    /// Reads `[ OWS ";" OWS "q=" qvalue ]`, in thousandths (RFC 9110 §12.4.2); 1000 for nothing.
    private static func weight(_ text: ArraySlice<UInt8>) -> Int? {
        let parameter = text.drop(while: \.isBlank)
        if parameter.isEmpty { return 1000 }
        guard parameter.first == UInt8(ascii: ";") else { return nil }
        let argument = parameter.dropFirst().drop(while: \.isBlank)
        guard argument.prefix(2).equalsIgnoringCase("q=".utf8) else { return nil }
        let value = argument.dropFirst(2)
        guard let whole = value.first, whole == 0x30 || whole == 0x31 else { return nil }
        let fraction = value.dropFirst(2)
        guard value.count == 1 || value.dropFirst().first == UInt8(ascii: "."),
            fraction.count <= 3, fraction.allSatisfy(\.isDigit)
        else { return nil }
        let thousandths = zip(fraction, [100, 10, 1]).reduce(0) { $0 + Int($1.0 - 0x30) * $1.1 }
        if whole == 0x30 { return thousandths }
        return thousandths == 0 ? 1000 : nil
    }
}
