// One entry of `details`: which apps, and which rules in which order.

import JSON

/// One entry of `applinks.details`.
public struct AssociationDetail: Sendable {
    /// From which list the rules are.
    public enum RuleList: String, Sendable {
        /// `components`, of iOS 13 and later.
        case components
        /// `paths`, of iOS 9 and later.
        case paths
        /// The entry has neither: every URL opens the app.
        case everything
    }

    /// The place among `details`, from 0; nil for what stands in `applinks.apps` of a file without
    /// details.
    public let index: Int?

    /// The apps, in the order of the file: application identifier prefix, a dot, bundle ID.
    public let apps: [String]

    /// From which list `rules` are.
    public let ruleList: RuleList

    /// The rules; the first that fits decides.
    public let rules: [AssociationRule]

    /// The entry as it stands in the file.
    public let node: JSONNode

    private let pathEnds: PathEnds
}

extension AssociationDetail {
    /// An entry of `details`.
    ///
    /// - Parameter app: the key under which it stands when `details` is a dictionary.
    init(
        _ node: JSONNode, index: Int, app: String?, defaults: ComponentKeys,
        variables: SubstitutionVariables
    ) {
        self.index = index
        self.node = node
        apps = app.map { [$0] } ?? Self.apps(of: node)
        let defaults = defaults.overridden(by: node["defaults"])
        if let components = node["components"], components.kind == .array {
            ruleList = .components
            rules = components.elements.enumerated().map { index, element in
                AssociationRule(
                    component: element, index: index, defaults: defaults, variables: variables)
            }
        } else if let paths = node["paths"], paths.kind == .array {
            ruleList = .paths
            rules = paths.elements.enumerated().map { index, element in
                AssociationRule(
                    path: element, index: index, defaults: defaults, variables: variables)
            }
        } else {
            ruleList = .everything
            rules = []
        }
        pathEnds = PathEnds(of: rules)
    }

    /// The entry that the members of `applinks.apps` make in a file without details.
    init(everythingFor apps: JSONNode) {
        index = nil
        node = apps
        self.apps = apps.elements.compactMap(\.string)
        ruleList = .everything
        rules = []
        pathEnds = PathEnds(of: [])
    }

    /// `appIDs` wins over `appID` when it is an array, even an empty one.
    private static func apps(of node: JSONNode) -> [String] {
        if let list = node["appIDs"], list.kind == .array {
            return list.elements.compactMap(\.string)
        }
        return (node["appID"]?.string).map { [$0] } ?? []
    }

    /// The place of the first rule that a URL fits; nil when it fits none.
    func firstFit(_ texts: inout LinkTexts) -> Int? {
        var start = 0
        while let index = pathEnds.candidate(from: start, &texts) {
            if rules[index].failure(&texts) == nil { return index }
            start = index + 1
        }
        return nil
    }
}
