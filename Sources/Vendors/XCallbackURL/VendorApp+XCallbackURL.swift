// Invented answers of an app that speaks x-callback-url. The specification names no error codes, so
// these are numbers of HTTP, whose meaning is known.

extension VendorApp {
    /// The error codes of the emulated app, each with its message.
    static let xCallbackErrors = [
        (code: "400", message: "A parameter of the action is invalid"),
        (code: "403", message: "The person did not allow it"),
        (code: "404", message: "There is no such action"),
        (code: "500", message: "The action failed"),
    ]

    /// A result of hexadecimal digits.
    func xCallbackResult(digits: Int) -> EmulatedAnswer {
        EmulatedAnswer(query: xCallbackQuery(digits: digits), outcome: .completed)
    }

    /// The error with a code.
    func xCallbackFailure(_ code: String) -> EmulatedAnswer? {
        guard let error = Self.xCallbackErrors.first(where: { $0.code == code }) else { return nil }
        var query = QueryWriter()
        query.add("errorCode", error.code)
        query.add("errorMessage", error.message)
        return EmulatedAnswer(query: query.bytes, to: "x-error", outcome: .error)
    }

    /// A result with a truncated escape or a letter in Latin-1, or an error without a message.
    func malformedXCallback(_ layer: Diagnostic.Layer) -> [UInt8] {
        let good = xCallbackQuery(digits: 16)
        return switch layer {
        case .percent: good + Array("%2".utf8)
        case .utf8: good + Array("&note=caf%E9".utf8)
        default: Array("errorCode=500".utf8)
        }
    }

    private func xCallbackQuery(digits: Int) -> [UInt8] {
        var random = SplitMix64(seed: seed)
        var query = QueryWriter()
        query.add("result", random.hexadecimal(digits))
        return query.bytes
    }
}
