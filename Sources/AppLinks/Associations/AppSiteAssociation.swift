// An `apple-app-site-association` file, read as Apple's systems read it: any JSON is accepted.
// Errors of its author are reported by the findings, never here.

import JSON

/// A file that says which apps open the links of a domain.
///
/// Both generations are supported: `paths` and `appID` of iOS 9, `components` and `appIDs` of iOS
/// 13. (Apple, *Supporting associated domains*; *TN3155*; recorded runs of `swcutil` where those
/// are silent.)
public struct AppSiteAssociation: Sendable {
    /// The file's JSON; of a signed file, the signed content.
    public let document: JSONDocument

    /// Whether the JSON was wrapped in a CMS signature, which is not verified.
    public let isSigned: Bool

    /// Size of the file in bytes, including the signature.
    public let fileSize: Int

    /// The entries, in the order of the file.
    public let details: [AssociationDetail]

    /// The substitution variables of the file.
    let variables: SubstitutionVariables

    /// Parses a file, in O(length); it may have a CMS signature (RFC 5652 §5), as in iOS 8.
    ///
    /// - Throws: why the text, or the signed content, isn't JSON.
    public init(reading bytes: [UInt8]) throws(JSONFault) {
        let content = SignedContent.content(of: bytes)
        isSigned = content != nil
        fileSize = bytes.count
        document = try JSONDocument(parsing: content ?? bytes)
        let links = document.root["applinks"]
        variables = SubstitutionVariables(of: links?["substitutionVariables"])
        details = Self.details(of: links, variables)
    }

    /// The apps that the file associates with the domain's links, each once, in the order of the
    /// file.
    public var apps: [String] {
        var seen: Set<String> = []
        return details.flatMap(\.apps).filter { seen.insert($0).inserted }
    }

    private static func details(
        of links: JSONNode?, _ variables: SubstitutionVariables
    ) -> [AssociationDetail] {
        guard let links, links.kind == .object else { return [] }
        let defaults = ComponentKeys().overridden(by: links["defaults"])
        switch links["details"]?.kind {
        case .array:
            return links["details"]?.elements.enumerated().compactMap { index, entry in
                guard entry.kind == .object else { return nil }
                return AssociationDetail(
                    entry, index: index, app: nil, defaults: defaults, variables: variables)
            } ?? []
        case .object:
            return links["details"]?.members.enumerated().compactMap { index, member in
                guard member.value.kind == .object, let app = member.name.string else { return nil }
                return AssociationDetail(
                    member.value, index: index, app: app, defaults: defaults, variables: variables)
            } ?? []
        default:
            guard let apps = links["apps"], apps.count > 0 else { return [] }
            return [AssociationDetail(everythingFor: apps)]
        }
    }
}

extension SubstitutionVariables {
    /// The variables of a file; those whose values aren't arrays are ignored.
    init(of node: JSONNode?) {
        var custom: [String: [String]] = [:]
        if let node {
            for member in node.members where member.value.kind == .array {
                guard let name = member.name.string, custom[name] == nil else { continue }
                custom[name] = member.value.elements.compactMap(\.string)
            }
        }
        self.init(custom)
    }
}
