// The contract of x-callback-url 1.0: its messages, launch links, and an emulated app.

import LinkPatterns

extension ContractDeclaration {
    /// x-callback-url 1.0.
    static let xCallbackURL = ContractDeclaration(
        vendor: .xCallbackURL,
        fields: [
            // "Friendly name of the source app".
            ContractField("x-source", .string),
            // "At least the parameters errorCode=code&errorMessage=message"; a code needn't be a number.
            ContractField("errorCode", [.string, .integer], .plain, .with(.error)),
            ContractField("errorMessage", .string, .plain, .with(.error)),
        ],
        shape: MessageShape(
            carrier: .parameters, unwrap: { _, _ in [XCallbackURL.outcomeParameter] }),
        launch: LaunchContract(
            known: ["scheme", "action", "x-source", "x-success", "x-error", "x-cancel"],
            required: ["scheme", "action"],
            callback: LaunchContract.Callback(
                parameter: "x-success", kinds: [.web, .custom],
                expected: "a whole URL, of https or an app's own scheme",
                others: [
                    LaunchContract.Other(parameter: "x-error", mark: XCallbackURL.mark(.error)),
                    LaunchContract.Other(
                        parameter: "x-cancel", mark: XCallbackURL.mark(.cancelled)),
                ]),
            constants: ["scheme", "action", "x-source"], takesOthers: true,
            mayBeMisspelled: XCallbackURL.isReserved,
            claims: { _, url in XCallbackURL.isLaunch(url) },
            resembles: { message in
                ["x-success", "x-error", "x-cancel"].contains(where: message.has)
            },
            emulatedPath: "emulate/x-callback-url/:scheme/:action",
            expectation: { XCallbackURL.expectation(for: $0) },
            url: { XCallbackURL.url(of: $0) }, read: { $0.readXCallbackURL() },
            sample: { callback, _ in
                [
                    ("scheme", "targetapp"), ("action", "translate"), ("x-source", "Landfall"),
                ]
                    + Launch.callbackParameters(of: .xCallbackURL, to: callback)
                    .map { ($0.name, $0.value) }
                    + [("word", "Hello"), ("language", "Spanish")]
            }),
        app: AppBehaviour(
            scenarios: [
                ScenarioEntry("cancelled", "The person cancels: x-cancel is opened.", [.cancelled]),
                .errors(
                    "x-error is opened; error 500 without a code.",
                    VendorApp.xCallbackErrors.map(\.code)),
                ScenarioEntry("empty", "x-success is opened without a result.", [.empty]),
                ScenarioEntry("huge", "A result of some 64 kB comes.", [.huge]),
            ],
            errors: VendorApp.xCallbackErrors.map { ($0.code, nil) }, usualError: "500",
            errorMember: "errorCode", inputs: [AnswerInput("result", "Result")],
            completed: { $0.xCallbackResult(digits: 16) },
            empty: { _ in EmulatedAnswer(query: [], outcome: .completed) },
            huge: { $0.xCallbackResult(digits: 64 * 1024) },
            cancelled: { _ in EmulatedAnswer(query: [], to: "x-cancel", outcome: .cancelled) },
            failed: { $0.xCallbackFailure($1) }, malformed: { $0.malformedXCallback($1) }))
}

/// The rules of x-callback-url 1.0.
enum XCallbackURL {
    /// The host of every link.
    static let host = "x-callback-url"

    /// The parameter that a callback URL of our own carries, since `x-error` and `x-cancel` may
    /// otherwise be the same URL as `x-success`, and nothing is appended to `x-cancel`.
    static let outcomeParameter = "landfall_outcome"

    /// The escaped parameter that marks a callback URL.
    static func mark(_ outcome: Outcome) -> String { "\(outcomeParameter)=\(outcome.rawValue)" }

    /// Whether a name is the specification's, and not an action's.
    static func isReserved(_ name: String) -> Bool { name.lowercased().hasPrefix("x-") }

    /// Whether a link opens an app: `scheme://x-callback-url/…`, of a scheme of the app's own.
    static func isLaunch(_ url: LinkURL) -> Bool {
        url.host?.lowercased() == host && !url.isWebLink
    }

    /// Scheme and action, escaped; nil for what is missing.
    ///
    /// - Parameter url: a link, or the target `/emulate/x-callback-url/{scheme}/{action}`.
    static func place(in url: LinkURL) -> (scheme: String?, action: String?) {
        var parts = url.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        var scheme = url.scheme
        if scheme == nil, parts.starts(with: ["emulate", Substring(host)]) {
            parts = parts.dropFirst(2)
            scheme = parts.popFirst().map(String.init)
        }
        let action = parts.drop(while: \.isEmpty).joined(separator: "/")
        return (scheme, action.isEmpty ? nil : action)
    }

    /// What a value should be, for people; nil if it is valid.
    static func expectation(for parameter: Launch.Parameter) -> String? {
        switch parameter.name {
        case "scheme":
            CallbackScheme.isName(parameter.value) && !CallbackURL.isRefused(parameter.value)
                && !["http", "https"].contains(parameter.value.lowercased())
                ? nil : "the target app's scheme, as in targetapp"
        case "action":
            parameter.value.hasPrefix("/") ? "a name or a path, without a slash before it" : nil
        default: nil
        }
    }

    /// The link of a launch: `scheme://x-callback-url/action?…`.
    static func url(of launch: Launch) -> String {
        let action = Launch.escaped(launch.value(of: "action") ?? "", besides: "/")
        let query = launch.parameters.filter { !["scheme", "action"].contains($0.name) }
            .map { "\(Launch.escaped($0.name))=\(Launch.escaped($0.value))" }
        return "\(launch.value(of: "scheme") ?? "")://\(host)/\(action)"
            + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }
}
