// Writes the parameters of a query, escaped so that they read the same in a form. Left out: the
// callback's own query, which precedes this output.

import Text

/// Parameters in the order of adding; nil adds nothing.
struct QueryWriter {
    /// The escaped text so far, without a leading `?` or `&`.
    private(set) var bytes: [UInt8] = []

    /// Adds a parameter, percent-encoding what is not unreserved (RFC 3986 §2.3).
    mutating func add(_ name: String, _ value: String?) {
        if let value { add(name, escaped: PercentEncoding.encode(value.utf8)) }
    }

    /// Adds a finite number in its shortest form.
    mutating func add(_ name: String, _ value: Double?) {
        guard let value, value.isFinite else { return }
        add(name, String(decoding: JSONModelWriter.text(of: value), as: UTF8.self))
    }

    /// Adds a parameter whose value is already escaped.
    mutating func add(_ name: String, escaped value: [UInt8]) {
        if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
        bytes += PercentEncoding.encode(name.utf8)
        bytes.append(UInt8(ascii: "="))
        bytes += value
    }
}
