// Which receiver takes a URL, by which pattern, and why the others don't.
//
// Invariant: decides as the routes do: the first receiver of the URL's host whose pattern matches
// wins, then `/callbacks`; link files are served whatever the patterns say. Left out: routes that
// accept no callbacks.

import JSON
import LinkPatterns
import ResultStore
import Settings
import Vendors

/// A receiver, and what it makes of the URL.
package struct ReceiverChoice {
    /// Host and path of the configuration, or a built-in path.
    package let route: String
    /// The vendor whose callbacks it takes.
    package let vendor: String
    /// The inbox that it writes to.
    package let inbox: String
    /// What its pattern captured; nil if it doesn't take the URL.
    package private(set) var parameters: Parameters?
    /// Why it doesn't take the URL; nil if it does.
    package private(set) var reason: String?

    /// The receivers in the order in which the server asks them; at most one has parameters.
    ///
    /// - Parameter host: a `LinkURL.serverName`.
    package static func all(
        _ receivers: [Configuration.Receiver], _ host: String, _ link: Link
    ) -> [ReceiverChoice] {
        let link = link.withoutDotSegments
        var taker: String?
        var choices = receivers.map { receiver in
            var choice = ReceiverChoice(
                route: receiver.route, vendor: receiver.vendor.rawValue,
                inbox: receiver.inbox)
            // The configuration has checked the pattern.
            let pattern = try? LinkPattern(receiver.path)
            if receiver.host != host {
                choice.reason = "the host is \(host), not \(receiver.host)"
            } else if Routes.isLinkFile(link) {
                choice.reason = "the link file of the host is served there"
            } else if let found = pattern?.match(link) {
                choice.take(found, taker)
                taker = taker ?? choice.route
            } else {
                choice.reason = pattern?.mismatch(link).map { "\($0)" } ?? "no match"
            }
            return choice
        }
        choices.append(own(link, taker))
        return choices
    }

    /// The pattern of the paths that exist on every host.
    private static let own = "callbacks/:vendor/(:inbox/(:flow))"

    private static func own(_ link: Link, _ taker: String?) -> ReceiverChoice {
        let rest = link.components.dropFirst()
        var choice = ReceiverChoice(
            route: "/\(Self.own)", vendor: rest.first ?? "",
            inbox: rest.dropFirst().first ?? Inbox.defaultName)
        if link.components.first != ReceiverPath.root || rest.isEmpty {
            choice.reason = "the path doesn't begin with /callbacks/VENDOR"
        } else if Vendor(rawValue: choice.vendor) == nil {
            choice.reason =
                "\(choice.vendor) isn't a vendor: \(Vendor.names.joined(separator: ", "))"
        } else if !Inbox.isValid(choice.inbox) {
            choice.reason = "the inbox isn't valid: it needs \(Inbox.rule)"
        } else if rest.count > 3 {
            choice.reason = "the path has more segments than vendor, inbox and flow"
        } else if let flow = rest.dropFirst(2).first, !FlowID.isValid(flow.utf8) {
            choice.reason = "after the inbox comes the id of a flow, a UUID of version 7"
        } else if let found = (try? LinkPattern(Self.own))?.match(link) {
            choice.take(found, taker)
        }
        return choice
    }

    /// Takes the URL, unless an earlier one did.
    private mutating func take(_ found: Parameters, _ taker: String?) {
        if let taker {
            reason = "\(taker) takes it first"
        } else {
            parameters = found
        }
    }

    /// Writes `{"route","vendor","inbox","match","reason","parameters"}`.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("route", route)
            json.member("vendor", vendor)
            json.member("inbox", inbox)
            json.member("match", parameters != nil)
            if let reason { json.member("reason", reason) }
            json.object("parameters") { json in
                for capture in parameters?.captures ?? [] {
                    json.member(capture.name, capture.value)
                }
            }
        }
    }
}
