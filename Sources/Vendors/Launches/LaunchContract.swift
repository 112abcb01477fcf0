// The launch links of a contract: what a vendor declares of them, and the checks that follow from it.
//
// Left out: diagnostics for received links, which include positions.

import LinkPatterns
import Text

/// The launch links of one contract.
struct LaunchContract: Sendable {
    /// The parameter that names where the app returns to.
    struct Callback: Sendable {
        let parameter: String
        let kinds: Set<CallbackURL.Kind>
        /// What its value should be, for people.
        let expected: String
        /// Whether the value is an app's scheme without its colon, which can't carry a flow.
        var isScheme = false
        /// Whether the value is the URL's standard Base64.
        var isBase64 = false
        /// Further parameters that name a callback, each for another end of the launch.
        var others: [Other] = []
    }

    /// A callback for another end than success.
    struct Other: Sendable {
        let parameter: String
        /// Escaped parameters that let a receiver distinguish it from the main callback.
        let mark: String
    }

    /// Names that depend on values: those of one method, or of one form of a link.
    struct Variant: Sendable {
        let known: [String]
        let required: [String]
    }

    /// A kind of link that a person may choose to make.
    struct Kind: Sendable {
        /// The name for people.
        let title: String
        /// The parameters to ask for, without those of the callback; those with `true` are required.
        let parameters: [(name: String, isRequired: Bool)]
        /// The parameters that make it this kind.
        var given: [(name: String, value: String)] = []
        /// Whether it has a callback.
        var hasCallback = true
        /// Whether it needs one.
        var needsCallback = false
    }

    /// A host of launch links with the path that the app claims; nil for any.
    struct Host: Sendable {
        let name: String
        var path: String?
    }

    /// All parameters, in the order of the link.
    let known: [String]
    var required: [String] = []
    /// Nil if links have no callback.
    var callback: Callback?
    /// Parameters besides the callback whose values are the same in every launch of a partner.
    var constants: Set<String> = []
    /// Parameters that name the partner's account.
    var credentials: Set<String> = []
    /// Whether links may have further parameters.
    var takesOthers = false
    /// Whether an unknown name may be a misspelled one, and not a further parameter.
    var mayBeMisspelled: @Sendable (String) -> Bool = { _ in true }
    /// Names that occur in links of the vendor, and are therefore no misspelling of another's.
    var relatedNames: [String] = []
    /// Forms of the link.
    var forms: [Launch.Form] = [.link]

    /// The kinds of its links, in the order to offer them; empty for one that `known` describes.
    var kinds: [Kind] = []

    /// Hosts of its links, in place of the app.
    var hosts: [Host] = []
    /// Whether a host that isn't listed is the contract's, given in lower case without port; nil if
    /// none is.
    var ownsHost: (@Sendable (_ host: String) -> Bool)?
    /// The app's own schemes.
    var schemes: [String] = []
    /// Whether another web link is one of the contract's; the link is given as text and parsed.
    var claims: @Sendable (_ link: [UInt8], _ url: LinkURL) -> Bool = { _, _ in false }

    /// Whether a message has the parameters of a launch link, and not those of a callback.
    var resembles: @Sendable (Message) -> Bool = { _ in false }

    /// The path at which its launches are emulated, without a slash at its start.
    var emulatedPath: String?

    /// The parameters that are known and required beside the given ones.
    ///
    /// Throws if they don't determine which of the contract's links is meant.
    var variant: @Sendable (_ given: [Launch.Parameter]) throws(LaunchError) -> Variant? = {
        _ throws(LaunchError) in nil
    }
    /// What a value should be, for people; nil if it is valid.
    var expectation: @Sendable (Launch.Parameter) -> String? = { _ in nil }
    /// Whether a launch with these parameters ends on a screen, even if it names a callback.
    var endsOnScreen: @Sendable (_ value: (String) -> String?) -> Bool = { _ in false }
    /// The link.
    let url: @Sendable (Launch) -> String
    /// Reads the link's parameters and returns the reaction of the vendor's app.
    let read: @Sendable (inout LaunchReader) -> Reaction
    /// Parameters of a partner with meaningless values, for all kinds of links; `number` makes them
    /// distinct.
    let sample: @Sendable (_ callback: String, _ number: UInt64) -> [(String, String)]

    /// The path below which a sandbox of the vendor's servers follows its links; nil if an app is
    /// emulated instead.
    var sandboxPath: String?

    /// The parameters that are known and required beside the given ones.
    func names(_ given: [Launch.Parameter]) throws(LaunchError) -> Variant {
        try variant(given) ?? Variant(known: known, required: required)
    }

    /// Throws for the first parameter that is unknown, missing or invalid.
    func check(_ given: [Launch.Parameter]) throws(LaunchError) {
        let names = try names(given)
        for parameter in given where !names.known.contains(parameter.name) {
            let nearest = Spelling.nearest(to: parameter.name, among: names.known)
            let isMeant =
                mayBeMisspelled(parameter.name)
                && nearest.map { name in !given.contains { $0.name == name } } ?? false
            guard takesOthers, !isMeant, !parameter.name.isEmpty else {
                throw .unknownParameter(parameter.name, nearest: nearest, known: names.known)
            }
        }
        for name in names.required where !given.contains(where: { $0.name == name }) {
            throw .missingParameter(name, known: names.known)
        }
        for parameter in given {
            guard let expected = expectedValue(of: parameter) else { continue }
            throw .invalidValue(of: parameter.name, expected: expected)
        }
    }

    /// What a parameter's value should be; nil if it is valid.
    private func expectedValue(of parameter: Launch.Parameter) -> String? {
        guard let callback, callback.names.contains(parameter.name) else {
            return expectation(parameter)
        }
        if callback.isScheme, CallbackScheme.isName(parameter.value),
            !CallbackURL.isRefused(parameter.value)
        {
            return nil
        }
        let kind = try? CallbackURL(parameter.value).kind
        return kind.map(callback.kinds.contains) == true ? nil : callback.expected
    }
}

extension LaunchContract.Callback {
    /// All parameters that name a callback.
    var names: [String] { [parameter] + others.map(\.parameter) }
}

/// A callback that is an app's scheme, to which the app adds `:?` and parameters.
enum CallbackScheme {
    /// The callback that a value means: `scheme:` for a name, otherwise the value itself.
    static func callback(_ value: String) -> String {
        isName(value) ? value + ":" : value
    }

    /// The value that gives `callback`: without the colon and slashes of a plain scheme.
    static func value(_ callback: String) -> String {
        guard let colon = callback.firstIndex(of: ":") else { return callback }
        let rest = callback[callback.index(after: colon)...]
        return rest.isEmpty || rest == "//" ? String(callback[..<colon]) : callback
    }

    /// Whether `text` is a scheme without its colon (RFC 3986 §3.1).
    static func isName(_ text: String) -> Bool {
        !text.contains(":") && LinkURL(text + ":").scheme == text
    }
}
