// Where the value of a setting comes from, so that `landfall config show` can say it.

import Yams

/// The origin of a setting's value.
package enum SettingOrigin: Sendable, Equatable {
    /// Nothing else names a value.
    case builtIn
    /// A configuration file; the line counts from 1.
    case file(path: String, line: Int)
    /// The environment variable of this name.
    case environment(String)
    /// The flag of this name.
    case flag(String)
}

extension SettingOrigin: CustomStringConvertible {
    /// `default`, `FILE:LINE`, the variable or the flag.
    package var description: String {
        switch self {
        case .builtIn: "default"
        case .file(let path, let line): "\(path):\(line)"
        case .environment(let name), .flag(let name): name
        }
    }
}

extension Configuration {
    /// The origin of each key that a document sets, such as `listen.port`; a list is one value.
    static func origins(of node: Node, in file: String) -> [String: SettingOrigin] {
        var origins: [String: SettingOrigin] = [:]
        collect(node, "", file, into: &origins)
        return origins
    }

    private static func collect(
        _ node: Node, _ path: String, _ file: String,
        into origins: inout [String: SettingOrigin]
    ) {
        for (name, value) in node.mapping.map({ Array($0) }) ?? [] {
            let key = path.isEmpty ? name.string ?? "" : "\(path).\(name.string ?? "")"
            origins[key] = .file(path: file, line: name.mark?.line ?? 1)
            collect(value, key, file, into: &origins)
        }
    }

    /// Sets a value that a flag names; nil leaves the value.
    package mutating func replace<Value>(
        _ member: WritableKeyPath<Configuration, Value>, _ key: String, by flag: String,
        with value: Value?
    ) {
        guard let value else { return }
        self[keyPath: member] = value
        origins[key] = .flag(flag)
    }
}
