// A response: status and field lines, and its content if it is kept whole.

/// Status and fields of a response.
package struct ResponseHead: Sendable {
    /// 200 to 599.
    package let status: Int

    /// Name and value of each field line, in order; values without the blanks around them.
    package var fields: [(name: String, value: String)]

    /// The field lines after the content, in order (RFC 9110 §6.5); empty before its end.
    package var trailers: [(name: String, value: String)] = []

    package init(status: Int, fields: [(name: String, value: String)] = []) {
        self.status = status
        self.fields = fields
    }

    /// The first value of a field, by its lowercase name; nil if the field is missing.
    package subscript(name: String) -> String? {
        fields.first { $0.name.lowercased() == name }?.value
    }

    /// The first value of a trailer field, by its name in any case; nil if the field is missing.
    package func trailer(_ name: String) -> String? {
        trailers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The media type of the content, without parameters; nil if the field is missing.
    package var mediaType: Substring? { self["content-type"]?.prefix { $0 != ";" } }
}

/// A response with its whole content.
package struct ClientResponse: Sendable {
    package let head: ResponseHead
    package let body: [UInt8]

    /// 200 to 599.
    package var status: Int { head.status }

    package init(head: ResponseHead, body: [UInt8]) {
        self.head = head
        self.body = body
    }
}
