// The content types of bodies: a received or stored body is classified by its field, and a sent one
// gets its field.

extension Callback.Body {
    /// Classifies a body by its Content-Type.
    ///
    /// - Parameter field: the field's value; nil if it is missing.
    ///
    /// O(body).
    package init(_ body: [UInt8], contentType field: ArraySlice<UInt8>?) {
        let type = Self.mediaType(field, body: body)
        self =
            switch type {
            case "application/x-www-form-urlencoded": .form(body)
            case "application/json": .json(body)
            case "multipart/form-data":
                .multipart(boundary: field.flatMap(Self.boundary), body)
            default: .other(contentType: type, body)
            }
    }

    /// The content type, and the content.
    package var content: (type: String, bytes: [UInt8]) {
        switch self {
        case .form(let bytes): ("application/x-www-form-urlencoded", bytes)
        case .json(let bytes): ("application/json", bytes)
        case .multipart(let boundary, let bytes):
            (
                "multipart/form-data; boundary=\"\(String(decoding: boundary ?? [], as: UTF8.self))\"",
                bytes
            )
        case .other(let type, let bytes): (type, bytes)
        }
    }

    /// Type and subtype in lower case (RFC 9110 §8.3.1).
    ///
    /// Without a type, a body that begins with a brace is JSON; any other is read as a form.
    private static func mediaType(_ field: ArraySlice<UInt8>?, body: [UInt8]) -> String {
        guard let field else {
            let first = body.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
            return first == UInt8(ascii: "{")
                ? "application/json" : "application/x-www-form-urlencoded"
        }
        let type = field.prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 && $0 != 0x09 }
        let name = String(decoding: type, as: UTF8.self).lowercased()
        return name.hasSuffix("+json") ? "application/json" : name
    }

    /// The parameter `boundary` of a field's value (RFC 2046 §5.1.1); nil without one, or if it has
    /// no valid length.
    private static func boundary(of field: ArraySlice<UInt8>) -> [UInt8]? {
        var parameters = MediaParameters(field.drop { $0 != UInt8(ascii: ";") })
        while let parameter = parameters.next() {
            guard parameter.isNamed("boundary") else { continue }
            let boundary = Array(parameter.value)
            return 1...70 ~= boundary.count && boundary.last != 0x20 ? boundary : nil
        }
        return nil
    }
}
