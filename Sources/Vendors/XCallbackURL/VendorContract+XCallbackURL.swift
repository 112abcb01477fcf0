// x-callback-url 1.0 (http://x-callback-url.com/specifications/): any app that opens another app by a
// link of the form `scheme://x-callback-url/action`, and is opened again with the result. It has no
// hosts.

extension VendorContract {
    /// Apps that speak x-callback-url.
    static let xCallbackURL = VendorContract(
        title: "x-callback-url",
        currentLaunch: .xCallbackURL,
        resultFields: [
            ResultField("error_code", .text, isKey: true, ["errorCode"]),
            ResultField("source", .text, ["x-source"]),
        ],
        searchedPaths: [["errorCode"], ["errorMessage"], ["x-source"], ["parameters", "*"]],
        decode: { message, _ in XCallbackURLDecoder.decode(&message) })
}
