// The trace that a request belongs to (W3C Trace Context §3.2): `00-TRACE-SPAN-FLAGS`.
//
// Invariant: a field that breaks a rule is ignored as a whole, as the specification demands. Left
// out: `tracestate`, which only the vendors of tracing systems read.

import HTTP1
import Text

/// The parts of a `traceparent` field.
package enum TraceParent {
    /// The trace id of a request, 32 digits; nil without exactly one valid field.
    package static func traceID(of request: Request) -> String? {
        guard let value = request.first(.traceParent), request.values(.traceParent).count == 1
        else { return nil }
        return traceID(in: value)
    }

    /// The trace id, 32 digits, in a field's value; nil if the value is invalid.
    package static func traceID(in value: ArraySlice<UInt8>) -> String? {
        let hyphen = UInt8(ascii: "-")
        let parts = value.split(separator: hyphen, omittingEmptySubsequences: false)
        guard parts.count >= 4, isHexadecimal(parts[0], 2), isHexadecimal(parts[1], 32),
            isHexadecimal(parts[2], 16), isHexadecimal(parts[3], 2),
            !parts[0].elementsEqual("ff".utf8),
            // Later versions may add parts at the end (§4).
            parts.count == 4 || !parts[0].elementsEqual("00".utf8),
            !isZero(parts[1]), !isZero(parts[2])
        else { return nil }
        return String(decoding: parts[1], as: UTF8.self)
    }

    /// Whether a text is a valid trace id.
    package static func isTraceID(_ text: String) -> Bool {
        let octets = Array(text.utf8)[...]
        return isHexadecimal(octets, 32) && !isZero(octets)
    }

    /// Whether the octets are `count` hexadecimal digits in lower case.
    private static func isHexadecimal(_ octets: ArraySlice<UInt8>, _ count: Int) -> Bool {
        octets.count == count && octets.allSatisfy { $0.isHexadecimal && $0 == $0.lowercased }
    }

    private static func isZero(_ octets: ArraySlice<UInt8>) -> Bool {
        octets.allSatisfy { $0 == 0x30 }
    }
}

extension FieldName {
    static let traceParent = FieldName("traceparent")
}
