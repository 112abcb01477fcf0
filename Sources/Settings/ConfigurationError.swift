// Errors in the configuration, with enough detail to correct them.

import Files

/// An invalid configuration: the program reports it and exits before it listens.
package enum ConfigurationError: Error, Equatable {
    /// A file or folder is missing or can't be read.
    case unreadable(path: String, reason: String)
    /// The file is not valid YAML; `reason` has line and column.
    case malformed(file: String, reason: String)
    /// A key or an environment variable is unknown.
    case unknownKey(file: String, key: String, known: [String])
    /// A value is not what its key expects.
    case badValue(file: String, key: String, expected: String)
    /// A link file has errors; the text names the first one and its place.
    case badSite(String)
}

extension ConfigurationError {
    /// Runs a read; a failure becomes a configuration error that names the file.
    package static func reading<Content>(
        _ read: () throws(FileError) -> Content
    ) throws(ConfigurationError) -> Content {
        do throws(FileError) {
            return try read()
        } catch {
            throw .unreadable(path: error.path, reason: error.reason)
        }
    }
}

extension ConfigurationError: CustomStringConvertible {
    /// One sentence.
    package var description: String {
        switch self {
        case .unreadable(let path, let reason): "\(path) can't be read: \(reason)."
        case .malformed(let file, let reason): "\(file) is not valid YAML: \(reason)"
        case .unknownKey(let file, let key, let known):
            "\(file): the key \"\(key)\" is unknown; known keys: \(known.joined(separator: ", "))."
        case .badValue(let file, let key, let expected):
            "\(file): \(key) must be \(expected)."
        case .badSite(let errorSummary):
            "\(errorSummary)\nlandfall association lint shows everything; sites.allow_invalid: true "
                + "serves the file anyway."
        }
    }
}
