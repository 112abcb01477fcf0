// Serves fixed bytes, with everything that can be known in advance rendered once: uncompressed and
// compressed, whole and in ranges.

import Clocks
import Gzip
import Sockets

/// An immutable resource held in memory, with a strong entity tag for each of its forms.
///
/// A class, as its forms are, because a route passes it on with each request.
package final class StaticResource: Sendable {
    /// The content in one coding, and its field lines.
    private final class Form: Sendable {
        let content: HeldBytes
        /// For 200.
        let fieldLines: [UInt8]
        /// For 206 with several parts, which has another Content-Type.
        let untypedLines: [UInt8]
        /// For 304: the fields that RFC 9110 §15.4.5 repeats.
        let validatorLines: [UInt8]
        let entityTag: [UInt8]

        var size: Int { content.bytes.count }

        init(
            _ content: [UInt8], _ contentType: String, _ entityTag: String,
            _ fields: [(name: String, value: String)]
        ) {
            var untyped = Response(.ok)
            var validators = Response(.notModified)
            for field in fields {
                untyped.add(field.name, field.value)
                if StaticResource.repeatedFields.contains(field.name.lowercased()) {
                    validators.add(field.name, field.value)
                }
            }
            untyped.add("ETag", entityTag)
            validators.add("ETag", entityTag)
            var full = Response(.ok)
            full.add("Content-Type", contentType)
            self.content = HeldBytes(content)
            fieldLines = full.fieldLines + untyped.fieldLines
            untypedLines = untyped.fieldLines
            validatorLines = validators.fieldLines
            self.entityTag = Array(entityTag.utf8)
        }
    }

    private let identity: Form
    /// Nil if this type isn't worth compressing.
    private let gzip: Form?
    private let lastModified: HTTPDate?
    private let contentType: String

    /// The fields of 200 that 304 repeats, besides ETag and Date (RFC 9110 §15.4.5).
    private static let repeatedFields: Set = [
        "cache-control", "content-location", "expires", "vary",
    ]

    /// Each file is compressed only once, so this may be slow.
    private static let compressionLevel = 9

    /// Prepares a resource.
    ///
    /// - Parameters:
    ///   - content: the exact bytes to serve.
    ///   - contentType: the value of Content-Type; text and JSON are also served compressed.
    ///   - entityTag: the strong tag with its quotes; equal exactly when `content` is.
    ///   - lastModified: not in the future; nil to ignore conditions on dates.
    ///   - fields: further field lines; those that RFC 9110 §15.4.5 requires are part of 304 too.
    package init(
        _ content: [UInt8], contentType: String, entityTag: String,
        lastModified: HTTPDate? = nil, fields: [(name: String, value: String)] = []
    ) {
        self.contentType = contentType
        self.lastModified = lastModified
        var fields = fields
        if let lastModified { fields.append(("Last-Modified", lastModified.description)) }
        let coded =
            MediaType.isCompressible(contentType)
            ? Gzip.compress(content, level: Self.compressionLevel) : nil
        if coded != nil { fields.append(("Vary", "Accept-Encoding")) }
        identity = Form(content, contentType, entityTag, fields + [("Accept-Ranges", "bytes")])
        gzip = coded.map { coded in
            // Codings don't share a strong tag (RFC 9110 §8.8.3.3).
            Form(
                coded, contentType, entityTag.dropLast() + "-gzip\"",
                fields + [("Content-Encoding", "gzip")])
        }
    }

    /// Responds to GET or HEAD: 200, 206 or 304.
    ///
    /// Throws the refusal for 406, 412 and 416, in the order of RFC 9110 §13.2.2.
    package func respond(to request: Request) throws(Refusal) -> Response {
        let form = try form(for: request)
        // Most requests want just the resource.
        guard request.isSelective else { return Self.whole(form) }
        let now = HTTPDate(unixSeconds: Clock.unixMilliseconds / 1000)
        switch Preconditions.evaluate(
            request, entityTag: form.entityTag, lastModified: lastModified, now: now)
        {
        case .failed: throw .preconditionFailed
        case .notModified:
            return Response(.notModified, sharing: form.validatorLines, body: [])
        case .proceed: break
        }
        guard request.method == .get, let range = request.first(.range),
            request.values(.range).count == 1,
            Preconditions.allowsRange(
                request, entityTag: form.entityTag, lastModified: lastModified, now: now)
        else { return Self.whole(form) }
        switch ByteRanges.parse(range, size: form.size, limit: Limits.ranges) {
        case .ignored: return Self.whole(form)
        case .unsatisfiable: throw .unsatisfiableRange(form.size)
        case .ranges(let ranges): return partial(form, ranges)
        }
    }

    private static func whole(_ form: Form) -> Response {
        Response(.ok, sharing: form.fieldLines, held: form.content)
    }

    /// The form that the peer prefers (RFC 9110 §12.5.3).
    private func form(for request: Request) throws(Refusal) -> Form {
        guard let gzip else { return identity }
        let preference = AcceptEncoding(request.values(.acceptEncoding))
        switch preference.choice(gzipIsSmaller: gzip.size < identity.size) {
        case .identity: return identity
        case .gzip: return gzip
        case .none: throw .notAcceptable
        }
    }

    /// One range as it is, several as `multipart/byteranges` (RFC 9110 §15.3.7).
    private func partial(_ form: Form, _ ranges: [Range<Int>]) -> Response {
        if ranges.count == 1, let range = ranges.first {
            var response = Response(
                .partialContent, sharing: form.fieldLines, held: form.content)
            response.content = .held(form.content, range)
            response.add("Content-Range", Self.contentRange(range, form))
            return response
        }
        let boundary = String(UInt64.random(in: .min ... .max), radix: 36)
        var body: [UInt8] = []
        for range in ranges {
            var part = Response(.partialContent)
            part.add("Content-Type", contentType)
            part.add("Content-Range", Self.contentRange(range, form))
            body.append(contentsOf: "\r\n--\(boundary)\r\n".utf8)
            body.append(contentsOf: part.fieldLines)
            body.append(contentsOf: "\r\n".utf8)
            body.append(contentsOf: form.content.bytes[range])
        }
        body.append(contentsOf: "\r\n--\(boundary)--\r\n".utf8)
        var response = Response(.partialContent, sharing: form.untypedLines, body: body)
        response.add("Content-Type", "multipart/byteranges; boundary=\(boundary)")
        return response
    }

    private static func contentRange(_ range: Range<Int>, _ form: Form) -> String {
        "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(form.size)"
    }
}

/// Media types of RFC 9110 §8.3.1.
enum MediaType {
    private static let compressible: Set = [
        "application/json", "application/javascript", "application/xml", "application/xhtml+xml",
        "application/x-ndjson", "image/x-icon",
    ]

    /// Whether content of this type is essentially text, and not compressed already.
    static func isCompressible(_ contentType: String) -> Bool {
        let type = contentType.prefix { $0 != ";" && $0 != " " }.lowercased()
        return type.hasPrefix("text/") || type.hasSuffix("+json") || type.hasSuffix("+xml")
            || compressible.contains(type)
    }
}
