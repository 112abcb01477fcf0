// The three forms of a Rezolve link (vendor document 4.4).

import Text

/// The form of a Rezolve link, determined by parameter names.
enum RezolveForm {
    /// `rzlv.co/{partner}/{merchant}/{category}[/{product}]`.
    case trigger
    /// `rzlv.co/instant?path=…`.
    case instant
    /// `instant.{region}.rezolve.com/…?engagementid=…`.
    case engagement

    /// The form that matches most of `names`.
    init(_ names: [String]) {
        if names.contains("engagementid") {
            self = .engagement
        } else if names.contains("path") {
            self = .instant
        } else {
            self = .trigger
        }
    }

    var required: [String] {
        switch self {
        case .trigger: ["partner", "merchant", "category"]
        case .instant: ["path"]
        case .engagement: ["engagementid", "region"]
        }
    }

    var known: [String] {
        switch self {
        case .trigger: required + ["product", "ad", "placement"]
        case .instant, .engagement: required
        }
    }

    /// Whether `text` is an id as in links: ASCII digits that fit into an `Int`.
    static func isNumber(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(\.isDigit) && Int(text) != nil
    }

    /// Whether `text` is three or four numbers separated by slashes.
    static func isPath(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        return (3...4).contains(parts.count) && parts.allSatisfy { isNumber($0) }
    }

    /// Whether `text` can be one label of a host name.
    static func isRegion(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                $0.isLowercaseLetter || $0.isDigit || $0 == UInt8(ascii: "-")
            }
    }
}
