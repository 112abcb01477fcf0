// `landfall pattern route`: which receiver takes a URL, by which pattern, and why the others don't.
//
// Invariant: decides as the server does: the first receiver of the URL's host whose pattern matches
// wins, then `/callbacks`. Left out: routes that accept no callbacks.

import ArgumentParser
import Foundation
import JSON
import LinkPatterns
import ResultStore
import Settings
import Text
import Vendors

extension Pattern {
    struct Route: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say which receiver takes a callback's URL, and why the others don't.",
            discussion: """
                Receivers are those of the configuration, in its order, and the paths below \
                /callbacks, which exist on every host.

                EXAMPLES
                  landfall pattern route 'https://www.yourapp.com/dds/?stress=0.3'
                  landfall pattern route http://localhost:8080/callbacks/ailet/qa --json

                Exit code 0 when one takes it, 1 when not, 3 when the configuration can't be read.
                """)

        @Argument(help: "The URL, quoted: & and ? are special to shells.")
        var url: String

        @OptionGroup var file: ConfigOption

        @Flag(help: "Print one JSON document and nothing else.")
        var json = false

        func run() async throws {
            let configuration: Configuration
            do {
                configuration = try file.load()
            } catch {
                Console.printError("\(error)")
                throw Exit.environment
            }
            let url = LinkURL(self.url)
            guard let host = url.host, let link = url.link, url.isWebLink else {
                throw ValidationError("This needs an http or https URL with a valid path.")
            }
            let choices = Self.choices(configuration.receivers, host.lowercased(), link)
            try Console.print(json ? Self.document(choices) : Self.text(choices))
            if !choices.contains(where: { $0.parameters != nil }) { throw Exit.no }
        }

        /// A receiver, and what it makes of the URL.
        struct Choice {
            let route: String
            let vendor: String
            let inbox: String
            /// What its pattern captured; nil if it doesn't take the URL.
            var parameters: Parameters?
            /// Why it doesn't take the URL; nil if it does.
            var reason: String?
        }

        /// The receivers in the order in which the server asks them; at most one has parameters.
        static func choices(
            _ receivers: [Configuration.Receiver], _ host: String, _ link: Link
        ) -> [Choice] {
            var taker: String?
            var choices = receivers.map { receiver in
                var choice = Choice(
                    route: receiver.host + receiver.path, vendor: receiver.vendor.rawValue,
                    inbox: receiver.inbox)
                // The configuration has checked the pattern.
                let pattern = try? LinkPattern(receiver.path)
                if receiver.host != host {
                    choice.reason = "the host is \(host), not \(receiver.host)"
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

        /// The paths that exist on every host.
        private static func own(_ link: Link, _ taker: String?) -> Choice {
            let rest = link.components.dropFirst()
            var choice = Choice(
                route: "/callbacks/:vendor/(:inbox)/(:flow)", vendor: rest.first ?? "",
                inbox: rest.dropFirst().first ?? Inbox.defaultName)
            let pattern = try? LinkPattern("callbacks/:vendor/(:inbox/(:flow))")
            guard let pattern, let found = pattern.match(link) else {
                choice.reason = "the path doesn't begin with /callbacks/VENDOR"
                return choice
            }
            if Vendor(rawValue: choice.vendor) == nil {
                choice.reason =
                    "\(choice.vendor) isn't a vendor: \(Vendor.names.joined(separator: ", "))"
            } else if !Inbox.isValid(choice.inbox) {
                choice.reason = "the inbox isn't valid: it needs \(Inbox.rule)"
            } else {
                choice.take(found, taker)
            }
            return choice
        }

        private static func document(_ choices: [Choice]) -> String {
            var json = JSONWriter()
            json.object { json in
                json.key("receivers")
                json.array { json in
                    for choice in choices { choice.write(to: &json) }
                }
            }
            return String(decoding: json.bytes, as: UTF8.self)
        }

        private static func text(_ choices: [Choice]) -> String {
            let style = TerminalStyle()
            let lines = choices.flatMap { choice -> [String] in
                guard let parameters = choice.parameters else {
                    let reason = choice.reason.map { ": \($0)" } ?? ""
                    return [
                        style.bad("no match") + TerminalText.visible("  \(choice.route)\(reason)")
                    ]
                }
                let line = "  \(choice.route) → \(choice.vendor), inbox \(choice.inbox)"
                return [style.good("takes it") + TerminalText.visible(line)]
                    + parameters.captures.map {
                        TerminalText.visible("            \($0.name) = \($0.value)")
                    }
            }
            return lines.joined(separator: "\n")
        }
    }
}

extension Pattern.Route.Choice {
    /// Takes the URL, unless an earlier one did.
    fileprivate mutating func take(_ found: Parameters, _ taker: String?) {
        if let taker {
            reason = "\(taker) takes it first"
        } else {
            parameters = found
        }
    }

    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("route", route)
            json.member("vendor", vendor)
            json.member("inbox", inbox)
            json.member("match", parameters != nil)
            if let reason { json.member("reason", reason) }
            json.key("parameters")
            json.object { json in
                for capture in parameters?.captures ?? [] {
                    json.member(capture.name, capture.value)
                }
            }
        }
    }
}
