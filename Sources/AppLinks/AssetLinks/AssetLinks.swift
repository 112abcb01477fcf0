// An asset links file: the apps and sites that a site is associated with
// (google/digitalassetlinks).
//
// Invariant: an invalid statement doesn't affect the others. One strict pass produces both the
// model and the findings. Left out: fetching; included files are listed, not read.

import JSON

/// The content of `https://<host>/.well-known/assetlinks.json`.
public struct AssetLinks: Sendable {
    /// The valid statements, in the order of the file.
    public let statements: [Statement]

    /// The included files, in the order of the file.
    public let includes: [Include]

    private let found: [Finding]

    /// Parses a file, in O(length).
    ///
    /// Accepts any JSON: `findings()` reports what is wrong with it.
    ///
    /// - Throws: the first error in a text that isn't JSON (RFC 8259).
    public init(reading bytes: [UInt8]) throws(JSONFault) {
        let document = try JSONDocument(parsing: bytes, maximumDepth: Limits.assetLinksDepth)
        var reader = StatementReader(document)
        reader.read(document)
        statements = reader.statements
        includes = reader.includes
        found = reader.findings.all.sorted { $0.position.offset < $1.position.offset }
    }

    /// Errors and surprises in the file, in its order; up to 1,000 of each severity.
    ///
    /// A statement with an error has no effect, unless the error is in its dynamic rules.
    public func findings() -> [Finding] { found }

    /// Errors and surprises in a file, whether it is JSON or not.
    ///
    /// A text that isn't JSON has one finding, at its first error.
    public static func findings(in bytes: [UInt8]) -> [Finding] {
        do throws(JSONFault) {
            return try AssetLinks(reading: bytes).findings()
        } catch {
            return [Finding(error)]
        }
    }
}
