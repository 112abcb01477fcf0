// Bytes that are served as they are, with everything that can be known beforehand rendered once.
// Left out: ranges and codings.

import Clocks

/// An immutable resource held in memory, with a strong entity tag.
package struct StaticResource: Sendable {
    private let content: [UInt8]
    private let fieldLines: [UInt8]
    private let validatorLines: [UInt8]
    private let entityTag: [UInt8]
    private let lastModified: HTTPDate?

    /// What 304 says as 200 would, beside ETag and Date (RFC 9110 §15.4.5).
    private static let repeatedFields: Set = [
        "cache-control", "content-location", "expires", "vary",
    ]

    /// Prepares a resource.
    ///
    /// - Parameters:
    ///   - content: the exact bytes to serve.
    ///   - contentType: the value of Content-Type.
    ///   - entityTag: the strong tag with its quotes; equal exactly when `content` is.
    ///   - lastModified: not later than now; nil leaves conditions on dates out.
    ///   - fields: further field lines; those that RFC 9110 §15.4.5 wants are part of 304 too.
    package init(
        _ content: [UInt8], contentType: String, entityTag: String,
        lastModified: HTTPDate? = nil, fields: [(name: String, value: String)] = []
    ) {
        var full = Response(.ok)
        var validators = Response(.notModified)
        full.add("Content-Type", contentType)
        for field in fields {
            full.add(field.name, field.value)
            if Self.repeatedFields.contains(field.name.lowercased()) {
                validators.add(field.name, field.value)
            }
        }
        full.add("ETag", entityTag)
        validators.add("ETag", entityTag)
        if let lastModified { full.add("Last-Modified", lastModified.description) }
        self.content = content
        self.entityTag = Array(entityTag.utf8)
        self.lastModified = lastModified
        fieldLines = full.fieldLines
        validatorLines = validators.fieldLines
    }

    /// Answers GET or HEAD: 200, 304 or 412, in the order of RFC 9110 §13.2.2.
    package func respond(to request: Request) -> Response {
        let matching = request.list(.ifMatch)
        let isWanted =
            matching.isEmpty
            ? !isModified(since: request.first(.ifUnmodifiedSince), otherwise: false)
            : matching.contains { isSame($0, allowsWeak: false) }
        guard isWanted else {
            return Response(.preconditionFailed, sharing: validatorLines, body: [])
        }
        let known = request.list(.ifNoneMatch)
        let isKnown =
            known.isEmpty
            ? !isModified(since: request.first(.ifModifiedSince), otherwise: true)
            : known.contains { isSame($0, allowsWeak: true) }
        if isKnown { return Response(.notModified, sharing: validatorLines, body: []) }
        return Response(.ok, sharing: fieldLines, body: content)
    }

    /// Whether the content is newer than a date of the request; `otherwise` where either is missing
    /// or the date is none (RFC 9110 §13.1.3, §13.1.4: such conditions are ignored).
    private func isModified(since date: ArraySlice<UInt8>?, otherwise: Bool) -> Bool {
        guard let date, let lastModified else { return otherwise }
        let now = HTTPDate(unixSeconds: Clock.unixMilliseconds / 1000)
        guard let since = HTTPDate(date, now: now) else { return otherwise }
        return lastModified > since
    }

    /// Compares a tag of a list, strongly or weakly (RFC 9110 §8.8.3.2); `*` is any.
    private func isSame(_ member: ArraySlice<UInt8>, allowsWeak: Bool) -> Bool {
        if member.elementsEqual("*".utf8) { return true }
        if allowsWeak, member.starts(with: "W/".utf8) {
            return member.dropFirst(2).elementsEqual(entityTag)
        }
        return member.elementsEqual(entityTag)
    }
}
