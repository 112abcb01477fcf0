// The tools. Their arguments are parameters and members of the API, which checks the values;
// what is written here is for models, which read no other document.

import AppLinks
import Vendors

extension AgentTool {
    /// All tools, in the order in which agents see them.
    package static let all = [
        searchResults, getResult, waitForResults, decode, explainLink, lintAssociation, makeLaunch,
        runTrip,
    ]

    private static let filters = [
        Member("vendor", "string", "Only results of this vendor.", choices: Vendor.names),
        Member("contract", "string", "Only results of this version of a vendor's format."),
        Member("inbox", "string", "Only results in this inbox."),
        Member(
            "outcome", "string", "What the vendor says happened.",
            choices: Outcome.allCases.map(\.rawValue)),
        Member(
            "verdict", "string", "Whether the callback could be decoded.",
            choices: Verdict.allCases.map(\.rawValue)),
        Member("flow", "string", "Only the results of this launch: the id of a flow."),
        Member("method", "string", "The method of the callback's request: GET or POST."),
        Member("host", "string", "The host that received it."),
        Member("path", "string", "The path that received it."),
        Member("trace", "string", "The trace of its request: the id in traceparent."),
        Member(
            "received_after", "string",
            "Later than this: an RFC 3339 time, or a time before now such as -15m."),
        Member("received_before", "string", "Earlier than this, written likewise."),
        Member(
            fieldsArgument, "object",
            "Conditions on decoded fields, such as {\"stress\": \"gte:0.3\"}: a value, a value after "
                + "eq:, gt:, gte:, lt: or lte:, or a range such as 0.1..0.5."),
        Member(
            "kind", "string",
            "Kinds of records, with commas between them: callback, launch, delivery, registration, "
                + "stray, or any. Callbacks by default."),
        Member(
            "q", "string",
            "A query: words, and terms such as vendor:welltory result.stress:>=0.3 -outcome:error."),
        Member(
            "fields", "string",
            "The members of each result, with commas between them, such as id,outcome,result. All "
                + "but request.body by default; choose few, because answers are limited."),
    ]

    private static let results = Member(
        "results", "array", "The results.", isRequired: true)

    private static let searchResults = AgentTool(
        name: "search_results", title: "Search results",
        meaning: "Lists received callbacks, newest first, with their decoded values and "
            + "diagnostics.",
        way: .query("/api/v1/results"),
        arguments: filters + [
            Member("sort", "string", "received_at, seq or result.FIELD, with - for descending."),
            Member("limit", "integer", "Results on a page, 1 to 500; 50 by default."),
            Member("cursor", "string", "next_cursor of the page before, with the same filters."),
        ],
        members: [
            results,
            Member("next_cursor", nil, "The cursor of the next page, or null.", isRequired: true),
            Member("total", "object", "The number of results of all pages.", isRequired: true),
        ], stores: false, reachesOut: false)

    private static let getResult = AgentTool(
        name: "get_result", title: "Get a result",
        meaning: "Shows one stored record: the request as received, the decoded value, and the "
            + "diagnostics that say what is wrong at which byte.",
        way: .item("/api/v1/results/:id"),
        arguments: [Member("id", "string", "The id of the result.", isRequired: true)],
        members: [
            Member("id", "string", "The id.", isRequired: true),
            Member("seq", "integer", "The number of the record.", isRequired: true),
            Member("kind", "string", "The kind of the record.", isRequired: true),
            Member("received_at", "string", "When it was received.", isRequired: true),
            Member("vendor", "string", "The vendor.", isRequired: true),
            Member("outcome", nil, "What the vendor says happened, or null.", isRequired: true),
            Member("verdict", "string", "Whether it could be decoded.", isRequired: true),
            Member("request", "object", "The request as received.", isRequired: true),
            Member("result", nil, "The decoded value, or null.", isRequired: true),
            Member("diagnostics", "array", "What is wrong with it.", isRequired: true),
        ], stores: false, reachesOut: false)

    private static let waitForResults = AgentTool(
        name: "wait_for_results", title: "Wait for results",
        meaning: "Waits until results match, and returns them, oldest first. Results that are "
            + "stored already count too; after=now excludes them. After the time limit the call "
            + "fails, and names the nearest results and what they lack.",
        way: .query("/api/v1/results/wait"),
        arguments: filters + [
            Member("within", "string", "How long to wait: 500ms, 30s (the default), up to 5m."),
            Member("count", "integer", "How many results must match, 1 to 500; 1 by default."),
            Member(
                "after", "string",
                "Only results after this: now, a seq, or next_cursor of the wait before."),
            Member("none", "boolean", "Whether no result is expected: then one fails the call."),
        ],
        members: [
            results,
            Member(
                "next_cursor", "string", "The value of after for the next wait.",
                isRequired: true),
        ], stores: false, reachesOut: true)

    private static let decode = AgentTool(
        name: "decode", title: "Decode a callback",
        meaning: "Decodes a callback that is given as text, without storing it: its URL, its body, "
            + "or both.",
        way: .object("/api/v1/decode"),
        arguments: [
            Member("url", "string", "The callback's URL, or its path and query."),
            Member("body", "string", "The body of its request."),
            Member("content_type", "string", "The media type of the body."),
            Member(
                "vendor", "string", "The vendor; guessed without it.", choices: Vendor.names),
            Member(
                "contract", "string", "The version of the vendor's format.",
                choices: Contract.allCases.map(\.rawValue)),
        ],
        members: [
            Member("vendor", nil, "The vendor, or null.", isRequired: true),
            Member("contract", nil, "The contract, or null.", isRequired: true),
            Member("outcome", nil, "What the vendor says happened, or null.", isRequired: true),
            Member("verdict", "string", "Whether it could be decoded.", isRequired: true),
            Member("result", nil, "The decoded value, or null.", isRequired: true),
            Member("diagnostics", "array", "What is wrong with it.", isRequired: true),
            Member("layers", nil, "The steps of decoding.", isRequired: true),
        ], stores: false, reachesOut: false)

    private static let explainLink = AgentTool(
        name: "explain_link", title: "Explain a link",
        meaning: "Says whether a link opens an app on iOS, and which rule of the hosted "
            + "apple-app-site-association file decides. Nothing is fetched.",
        way: .query("/api/v1/links/explain"),
        arguments: [
            Member(
                "url", "string", "The link, with https:// and a host, without blanks.",
                isRequired: true),
            Member("app", "string", "Only for this app ID."),
        ],
        members: [
            Member(
                "url", "string", "The link as it is compared: percent-encoded beyond ASCII.",
                isRequired: true),
            Member("file", "object", "The file that decides.", isRequired: true),
            Member("decision", "string", "What is decided.", isRequired: true),
            Member("opens_app", "boolean", "Whether an app opens.", isRequired: true),
            Member("app", nil, "The app, or null.", isRequired: true),
            Member("reason", nil, "Why no rule decides, or null.", isRequired: true),
            Member("apps", "array", "All apps that would open.", isRequired: true),
            Member("trace", "array", "Each rule that was compared.", isRequired: true),
        ], stores: false, reachesOut: false)

    private static let lintAssociation = AgentTool(
        name: "lint_association", title: "Check a link file",
        meaning: "Checks the text of an apple-app-site-association or assetlinks.json file, and "
            + "lists what is wrong in it, with line and column. Nothing is fetched or stored.",
        way: .file("/api/v1/associations/lint"),
        arguments: [
            Member("content", "string", "The text of the file.", isRequired: true),
            Member(
                "kind", "string", "The kind of the file; Apple's by default.",
                choices: HostedFile.Kind.allCases.map(\.rawValue)),
        ],
        members: [
            Member("valid", "boolean", "Whether there are no errors.", isRequired: true),
            Member("findings", "array", "What was found.", isRequired: true),
        ], stores: false, reachesOut: false)

    private static let launchArguments = [
        Member(
            "parameters", "object",
            "Parameters of the vendor's launch link, by name; texts, without escapes."),
        Member("inbox", "string", "The inbox of the callbacks."),
    ]

    private static let makeLaunch = AgentTool(
        name: "make_launch", title: "Make a launch link",
        meaning: "Makes a link that opens the vendor's app and whose callback leads here, and "
            + "stores it as the launch of a new flow. The link is for a person's phone; "
            + "emulator_url opens this server's emulator instead.",
        way: .object("/api/v1/launches"),
        arguments: launchArguments + [
            Member(
                "vendor", "string", "The vendor, for its current contract; or give contract.",
                choices: Vendor.launchable.map(\.rawValue)),
            Member(
                "contract", "string", "The version of the vendor's link.",
                choices: Contract.launchable.map(\.rawValue)),
            Member("callback", "string", "Where the callback leads instead of to this server."),
            Member("address", "string", "The address of this server in the links."),
        ],
        members: [
            Member("flow", "string", "The id of the flow.", isRequired: true),
            Member("vendor", "string", "The vendor.", isRequired: true),
            Member("contract", "string", "The contract.", isRequired: true),
            Member(
                "url", "string", "The link as it is compared: percent-encoded beyond ASCII.",
                isRequired: true),
            Member("emulator_url", nil, "The launch at the emulator, or null.", isRequired: true),
            Member("callback", nil, "The callback's URL, or null.", isRequired: true),
            Member("diagnostics", "array", "What is wrong with the link.", isRequired: true),
        ], stores: true, reachesOut: false)

    private static let runTrip = AgentTool(
        name: "run_trip", title: "Run a round trip",
        meaning: "Makes a launch link, opens it in the emulated app of the vendor, follows its "
            + "callbacks to this server, and returns the flow and whether it ended as the scenario "
            + "says. What arrives is stored, and forwarded if the configuration says so.",
        way: .trip,
        arguments: [
            Member(
                "vendor", "string", "The vendor, or one of its contracts.", isRequired: true),
            Member(
                "scenario", "string",
                "What the app does: completed (the default), cancelled, error, error:CODE, "
                    + "in_progress, empty, silent, delayed:3s, duplicate:2, stale, huge, "
                    + "malformed:LAYER. Not every app has each one."),
            Member("seed", "integer", "The same seed gives the same values."),
        ] + launchArguments,
        members: [
            Member("vendor", "string", "The vendor.", isRequired: true),
            Member("contract", "string", "The contract.", isRequired: true),
            Member("scenario", "string", "The scenario.", isRequired: true),
            Member("seed", "string", "The seed.", isRequired: true),
            Member(
                "ok", "boolean", "Whether the flow ended as the scenario says.",
                isRequired: true),
            Member("problems", "array", "How it differs.", isRequired: true),
            Member("url", "string", "The launch link.", isRequired: true),
            Member("flow", "object", "The flow with its messages.", isRequired: true),
        ], stores: true, reachesOut: true)
}
