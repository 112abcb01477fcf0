// An asset links file: which apps and sites a site vouches for (google/digitalassetlinks).
//
// Invariant: one bad statement costs itself only. What is read strictly is also what is found fault
// with: both come from one pass. Left out: fetching; files that are included are named, not read.

import JSON

/// The content of `https://<host>/.well-known/assetlinks.json`.
public struct AssetLinks: Sendable {
    /// The valid statements, in the order of the file.
    public let statements: [Statement]

    /// The files that are to be read as well, in the order of the file.
    public let includes: [Include]

    private let found: [Finding]

    /// Reads a file, in O(length).
    ///
    /// Whatever is JSON can be read: `findings()` says what is wrong with it.
    ///
    /// - Throws: the first fault of a text that isn't JSON (RFC 8259).
    public init(reading bytes: [UInt8]) throws(JSONFault) {
        let document = try JSONDocument(parsing: bytes, maximumDepth: Limits.assetLinksDepth)
        var reader = StatementReader(document)
        reader.read(document)
        statements = reader.statements
        includes = reader.includes
        found = reader.findings.all.sorted { $0.position.offset < $1.position.offset }
    }

    /// What is wrong in the file, or may surprise, in the order of the file; at most 1,000 findings.
    ///
    /// A statement with an error doesn't count, unless the error is about its dynamic rules.
    public func findings() -> [Finding] { found }

    /// What is wrong in a file, or may surprise, whether it is JSON or not.
    ///
    /// A text that isn't JSON has one finding, at its first fault.
    public static func findings(in bytes: [UInt8]) -> [Finding] {
        do throws(JSONFault) {
            return try AssetLinks(reading: bytes).findings()
        } catch {
            return [Finding(error)]
        }
    }
}
