// The URL of a launch, as the vendor's own helper or demo writes it.
//
// If the vendor's code leaves a character unescaped that a form decoder would change, this URL
// escapes it: both decode to the same.

import Text

extension Launch {
    /// The launch link: ASCII, ready for a QR code.
    public var url: String { contract.declaration.launch?.url(self) ?? "" }

    /// Characters that `URLComponents` leaves unescaped in a query item's value, except `+`.
    static let foundationAllowed = "!$'()*,:;@/?"

    /// The parameters as an escaped query, without `?`.
    func query(besides allowed: String = "") -> String {
        query { _, value in Self.escaped(value, besides: allowed) }
    }

    /// The parameters as an escaped query, with values as `written` escapes them.
    func query(_ written: (_ name: String, _ value: String) -> String) -> String {
        parameters.map { "\(Self.escaped($0.name))=\(written($0.name, $0.value))" }
            .joined(separator: "&")
    }

    /// Percent-encoded text, except unreserved characters and those of `allowed`.
    static func escaped(_ text: String, besides allowed: String = "") -> String {
        String(decoding: PercentEncoding.encode(text.utf8, besides: allowed), as: UTF8.self)
    }
}
