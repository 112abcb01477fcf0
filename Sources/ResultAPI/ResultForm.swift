// Selects the form of a response that a client prefers (RFC 9110 §12.5.1).

import HTTP1

/// A form of results.
package enum ResultForm: String, CaseIterable, Sendable {
    case json = "application/json"
    case lines = "application/x-ndjson"
    case table = "text/plain"

    private static let accept = FieldName("accept")

    /// The form that a request prefers; JSON by default, or if none is supported.
    ///
    /// Of equal weights the more specific range wins, then our first form. O(size of the field).
    package init(_ request: Request) {
        var best: (form: ResultForm, weight: Double, specificity: Int) = (.json, 0, 0)
        let ranges = request.values(Self.accept).flatMap { $0.split(separator: UInt8(ascii: ",")) }
        for form in Self.allCases {
            var own: (weight: Double, specificity: Int) = (0, 0)
            for range in ranges {
                guard let specificity = Self.specificity(of: range, for: form),
                    specificity > own.specificity
                else { continue }
                own = (Self.weight(of: range), specificity)
            }
            if (own.weight, own.specificity) > (best.weight, best.specificity) {
                best = (form, own.weight, own.specificity)
            }
        }
        self = best.form
    }

    /// 3 for the type itself, 2 for `text/*`, 1 for `*/*`; nil if the range doesn't match.
    private static func specificity(of range: ArraySlice<UInt8>, for form: ResultForm) -> Int? {
        let name = String(decoding: range.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
            .filter { $0 != " " && $0 != "\t" }.lowercased()
        if name == form.rawValue { return 3 }
        if name == "*/*" { return 1 }
        guard name.hasSuffix("/*") else { return nil }
        return form.rawValue.hasPrefix(name.dropLast()) ? 2 : nil
    }

    /// The value of `q`; 1 if it is missing or invalid.
    private static func weight(of range: ArraySlice<UInt8>) -> Double {
        for parameter in range.split(separator: UInt8(ascii: ";")).dropFirst() {
            let text = String(decoding: parameter, as: UTF8.self).filter { $0 != " " }.lowercased()
            if text.hasPrefix("q="), let weight = Double(text.dropFirst(2)) { return weight }
        }
        return 1
    }
}
