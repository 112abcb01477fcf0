// Finds the receivers that an unrouted request may have been meant for, and the differences.
//
// Invariant: a pure function of the request's host and path and of the configuration; its work is
// bounded for any number of receivers.

import JSON
import LinkPatterns
import ResultStore
import Settings
import Vendors

/// A receiver that resembles the target of an unrouted request.
package struct NearReceiver: Sendable, Equatable {
    /// Host and path of the configuration, or a built-in path.
    let route: String
    let vendor: Vendor
    let inbox: String
    /// The differences, one sentence each.
    package let differs: [String]

    /// Maximum number of configured receivers that are compared.
    private static let mostCompared = 200

    /// Maximum number of receivers that a response lists.
    private static let mostListed = 3

    /// The most similar receivers, best first.
    ///
    /// O(receivers · length of the path²).
    package static func find(
        host: String, path: Link, among receivers: [Configuration.Receiver]
    ) -> [NearReceiver] {
        let near = receivers.prefix(mostCompared).compactMap { Self.near($0, host, path) }
        let own = ownRoute(path.components).map { [$0] } ?? []
        return Array((own + near).sorted { $0.differs.count < $1.differs.count }.prefix(mostListed))
    }

    /// Writes `{"route","vendor","inbox","differs":[…]}`.
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("route", route)
            json.member("vendor", vendor.rawValue)
            json.member("inbox", inbox)
            json.member("differs", differs)
        }
    }

    // MARK: Receivers of the configuration

    private static func near(
        _ receiver: Configuration.Receiver, _ host: String, _ path: Link
    ) -> NearReceiver? {
        let hostDifference = difference(of: host, from: receiver.host)
        let pathDifference = difference(of: path, from: receiver.path)
        switch (hostDifference, pathDifference) {
        // One of host and path has to be equal, apart from `www.`.
        case (.none, _), (_, .none), (.slight, .near): break
        default: return nil
        }
        return NearReceiver(
            route: receiver.route, vendor: receiver.vendor, inbox: receiver.inbox,
            differs: [hostDifference.sentence, pathDifference.sentence].compactMap(\.self))
    }

    /// The difference of two names.
    private enum Difference {
        case none
        /// Only the `www.` prefix differs.
        case slight(String)
        case near(String)
        case far(String)

        var sentence: String? {
            switch self {
            case .none: nil
            case .slight(let sentence), .near(let sentence), .far(let sentence): sentence
            }
        }
    }

    private static func difference(of host: String, from wanted: String) -> Difference {
        if host == wanted { return .none }
        if "www." + host == wanted { return .slight("host lacks www.") }
        if host == "www." + wanted { return .slight("host has www., which the receiver's lacks") }
        let sentence = "host is \(shown(host)), the receiver's is \(wanted)"
        return Nearest.name(to: host, of: [wanted]) == nil ? .far(sentence) : .near(sentence)
    }

    private static func difference(of path: Link, from pattern: String) -> Difference {
        if let known = try? LinkPattern(pattern), known.match(path) != nil { return .none }
        let own = "/" + path.components.joined(separator: "/")
        let sentence = "path is \(shown(own)), the receiver's is \(pattern)"
        let wanted = pattern.hasSuffix("/") ? String(pattern.dropLast()) : pattern
        return Nearest.name(to: own, of: [wanted, pattern]) == nil
            ? .far(sentence) : .near(sentence)
    }

    // MARK: Routes of this server's own

    /// `/callbacks/{vendor}[/{inbox}[/{flow}]]`, if the path resembles it.
    private static func ownRoute(_ components: [String]) -> NearReceiver? {
        guard let first = components.first else { return nil }
        var differs: [String] = []
        var rest = components.dropFirst()
        if first != ReceiverPath.root {
            if Nearest.name(to: first, of: [ReceiverPath.root]) != nil {
                differs.append("path begins with /\(shown(first)), not with /callbacks")
            } else if Vendor(rawValue: first) != nil {
                differs.append("path lacks /callbacks")
                rest = components[...]
            } else {
                return nil
            }
        }
        guard let name = rest.popFirst() else { return nil }
        var vendor = Vendor(rawValue: name)
        if vendor == nil, let meant = Nearest.name(to: name, of: Vendor.names) {
            differs.append("did you mean \(meant)")
            vendor = Vendor(rawValue: meant)
        }
        guard let vendor else { return nil }
        var inbox: String?
        if let given = rest.popFirst() {
            if Inbox.isValid(given) {
                inbox = given
            } else {
                differs.append("inbox \(shown(given)) is not valid: it needs \(Inbox.rule)")
                inbox = Inbox.isValid(given.lowercased()) ? given.lowercased() : nil
            }
        }
        if let flow = rest.popFirst(), !FlowID.isValid(flow.utf8) {
            differs.append("the segment after the inbox is not the id of a flow")
        }
        if !rest.isEmpty { differs.append("path has more segments than vendor, inbox and flow") }
        return NearReceiver(
            route: ReceiverPath.path(vendor: vendor, inbox: inbox), vendor: vendor,
            inbox: inbox ?? Inbox.defaultName, differs: differs)
    }

    /// Maximum characters of a peer's text that are repeated.
    private static let shownCharacters = 80

    private static func shown(_ text: String) -> String {
        text.count > shownCharacters ? text.prefix(shownCharacters) + "…" : text
    }
}
