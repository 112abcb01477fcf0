// What a receiver answers in place of its usual receipt, so that partners can test their retries:
// the configuration and the API read the same members by the same table.
//
// Invariant: a checked answer is a valid HTTP response, whose framing and connection stay the
// server's. Left out: counting callbacks, and waiting.

import Text

/// The answer of a receiver.
package struct ProgrammedAnswer: Sendable, Equatable {
    /// What is wrong with an answer.
    package struct Fault: Error, Equatable {
        /// The name of the member.
        package let member: String
        /// What the member must be.
        package let expected: String
    }

    /// A header field.
    package struct Field: Sendable, Equatable {
        package let name: String
        package let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The status of answers that don't fail; nil is 200 if there are fields or a body, else the
    /// usual answer.
    package var status: Int?
    package var headers: [Field] = []
    package var body: String?
    /// Time before each answer is sent; the callback is stored before it.
    package var delayMilliseconds: Int?
    /// Number of answers at the beginning that fail; nil for no such number.
    package var failFirst: Int?
    /// Every answer whose number is a multiple of this one fails; nil for no such number.
    package var failEvery: Int?
    /// The status of answers that fail; nil is 503.
    package var failStatus: Int?
    /// The `Retry-After` of answers that fail; nil sends none.
    package var failRetryAfterSeconds: Int?

    package init() {}

    /// The members that are numbers, with the values that they can have.
    package static let numbers:
        [(
            name: String, range: ClosedRange<Int>,
            path: WritableKeyPath<ProgrammedAnswer, Int?> & Sendable
        )] = [
            ("status", 200...599, \.status),
            ("delay_milliseconds", 0...mostDelayMilliseconds, \.delayMilliseconds),
            ("fail_first", 1...1_000_000, \.failFirst),
            ("fail_every", 1...1_000_000, \.failEvery),
            ("fail_status", 400...599, \.failStatus),
            ("fail_retry_after_seconds", 0...86_400, \.failRetryAfterSeconds),
        ]

    /// The names of all members.
    package static let members = numbers.map(\.name) + ["headers", "body"]

    /// Maximum delay.
    package static let mostDelayMilliseconds = 60_000

    /// Maximum bytes of a body.
    package static let bodyBytes = 64 * 1024

    /// Maximum bytes of all header fields.
    package static let headerBytes = 8192

    /// Bytes of the fields, as lines, and of the body.
    package var bytes: Int {
        headers.reduce(body?.utf8.count ?? 0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    }

    /// Whether answers that don't fail are this one in place of the usual one.
    package var isOwn: Bool { status != nil || !headers.isEmpty || body != nil }

    /// Whether the answer with this number fails.
    ///
    /// - Parameter number: from 1.
    package func fails(_ number: Int) -> Bool {
        number <= failFirst ?? 0 || failEvery.map { number.isMultiple(of: $0) } ?? false
    }

    /// Throws what is wrong with fields and body, or with members together; `numbers` has the rules
    /// of the others.
    package func check() throws(Fault) {
        for (member, status) in [("status", status), ("fail_status", failStatus)]
        where status == 426 {
            throw Fault(
                member: member,
                expected: "a status other than 426, which needs the server's field Upgrade "
                    + "(RFC 9110 §15.5.22)")
        }
        if failFirst == nil, failEvery == nil {
            let failing = [
                ("fail_status", failStatus), ("fail_retry_after_seconds", failRetryAfterSeconds),
            ]
            for (member, value) in failing where value != nil {
                throw Fault(
                    member: member,
                    expected: "absent without fail_first or fail_every, which say what fails")
            }
        }
        if let body, !body.isEmpty, let status, [204, 205, 304].contains(status) {
            throw Fault(member: "body", expected: "absent, since a \(status) has no content")
        }
        guard body?.utf8.count ?? 0 <= Self.bodyBytes else {
            throw Fault(member: "body", expected: "a text of at most \(Self.bodyBytes) bytes")
        }
        var names: Set<String> = []
        for field in headers {
            let name = field.name.lowercased()
            guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenCharacter) else {
                throw Self.fault("names that are tokens (RFC 9110 §5.6.2)", of: field)
            }
            guard !Self.reserved.contains(name), !Self.isReservedPrefix(of: name) else {
                throw Self.fault("other fields: the server sets this one", of: field)
            }
            guard names.insert(name).inserted else {
                throw Self.fault("each name once", of: field)
            }
            guard Self.isValue(field.value) else {
                throw Self.fault("values of visible ASCII, with spaces only inside", of: field)
            }
        }
        guard bytes - (body?.utf8.count ?? 0) <= Self.headerBytes else {
            throw Fault(member: "headers", expected: "at most \(Self.headerBytes) bytes")
        }
    }

    private static func fault(_ expected: String, of field: Field) -> Fault {
        let name = field.name.unicodeScalars.prefix(40).map { scalar in
            scalar.isASCII && scalar.value > 0x20 && scalar.value != 0x7F ? Character(scalar) : "?"
        }
        return Fault(member: "headers", expected: "\(expected) (\(String(name)))")
    }

    /// Fields of framing and of the connection (RFC 9110 §7.6.1, RFC 9112 §6), of codings that no
    /// text has, and those that the server adds to every response.
    private static let reserved: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding",
        "upgrade", "content-length", "content-encoding", "date", "x-request-id",
        "x-content-type-options", "content-security-policy", "strict-transport-security",
        "server-timing", "idempotent-replayed",
    ]

    private static func isReservedPrefix(of name: String) -> Bool {
        name.hasPrefix("access-control-") || name.hasPrefix("landfall-")
    }

    private static func isValue(_ text: String) -> Bool {
        let octets = text.utf8
        return octets.first != 0x20 && octets.last != 0x20
            && octets.allSatisfy { (0x20...0x7E).contains($0) }
    }
}

extension ProgrammedAnswer {
    /// Reads the `answer` of a receiver.
    init(_ section: inout ConfigurationSection) throws(ConfigurationError) {
        for (name, range, path) in Self.numbers {
            self[keyPath: path] = try section.number(name, in: range)
        }
        body = try section.value("body", expected: "a string") { $0.string }
        headers =
            try section.value("headers", expected: "a mapping of names to strings") { node in
                guard let pairs = node.mapping else { return nil }
                let fields = pairs.compactMap { name, value in
                    name.string.flatMap { name in
                        value.string.map { Field(name: name, value: $0) }
                    }
                }
                return fields.count == pairs.count ? fields : nil
            } ?? []
        try section.refuseOthers()
        do throws(Fault) {
            try check()
        } catch {
            throw section.error(error.member, error.expected)
        }
    }

    /// The answer in one line, without values of fields, which may be secret.
    var summary: String {
        var parts = Self.numbers.compactMap { name, _, path in
            self[keyPath: path].map { "\(name) \($0)" }
        }
        if !headers.isEmpty {
            parts.append("headers " + headers.map(\.name).joined(separator: " "))
        }
        if let body { parts.append("body of \(body.utf8.count) bytes") }
        return parts.joined(separator: ", ")
    }
}
