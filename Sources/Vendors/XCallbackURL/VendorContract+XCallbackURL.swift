// x-callback-url 1.0 (http://x-callback-url.com/specifications/): any app that opens another app by
// a link of the form `scheme://x-callback-url/action`, and is opened again with the result. It has
// no hosts.

extension VendorContract {
    /// Apps that speak x-callback-url.
    static let xCallbackURL = VendorContract(
        title: "x-callback-url",
        sample: "result=done",
        currentLaunch: .xCallbackURL,
        resultFields: [
            ResultField("error_code", .text, isKey: true, ["errorCode"]),
            ResultField("source", .text, ["x-source"]),
        ],
        searchedPaths: [["errorCode"], ["errorMessage"], ["x-source"], ["parameters", "*"]],
        unwrapsLinks: false,
        summary: summary,
        decode: { message, _ in XCallbackURLDecoder.decode(&message) })

    /// The most parameters that a summary lists.
    private static let summarizedParameters = 3

    /// `17 Not found` for an error, otherwise what the action returned: `id=5 · name=box`.
    private static func summary(of value: SummaryReader) -> [String] {
        let error = ["errorCode", "errorMessage"].compactMap { value.text(value.node($0)) }
        let returned = (value.node("parameters")?.members).map { members in
            members.prefix(summarizedParameters).compactMap { member in
                guard let name = member.name.string else { return nil as String? }
                return value.text(member.value).map { "\(name)=\($0)" }
            }
        }
        return (error.isEmpty ? [] : [error.joined(separator: " ")]) + (returned ?? [])
    }
}
