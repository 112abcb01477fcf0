// One entry of `details`: its apps, and its rules in order.

import JSON

/// One entry of `applinks.details`.
public struct AssociationDetail: Sendable {
    /// The list that the rules come from.
    public enum RuleList: String, Sendable {
        /// `components`, of iOS 13 and later.
        case components
        /// `paths`, of iOS 9 and later.
        case paths
        /// The entry has neither list: every URL opens the app.
        case everything
    }

    /// The index in `details`; nil for the entry made of `applinks.apps` in a file without details.
    public let index: Int?

    /// The apps, in the order of the file: application identifier prefix, a dot, bundle ID.
    public let apps: [String]

    /// The list that `rules` come from.
    public let ruleList: RuleList

    /// The rules; the first that matches decides.
    public let rules: [AssociationRule]

    /// The entry's JSON.
    public let node: JSONNode

    private let pathEnds: PathEnds
}

extension AssociationDetail {
    /// An entry of `details`.
    ///
    /// - Parameter app: its key when `details` is a dictionary.
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

    /// The entry made of the members of `applinks.apps` in a file without details.
    init(everythingFor apps: JSONNode) {
        index = nil
        node = apps
        self.apps = apps.elements.compactMap(\.string)
        ruleList = .everything
        rules = []
        pathEnds = PathEnds(of: [])
    }

    /// `appIDs` overrides `appID` if it is an array, even an empty one.
    private static func apps(of node: JSONNode) -> [String] {
        if let list = node["appIDs"], list.kind == .array {
            return list.elements.compactMap(\.string)
        }
        return (node["appID"]?.string).map { [$0] } ?? []
    }

    /// The index of the first rule that a URL matches; nil if it matches none.
    func firstFit(_ texts: inout LinkTexts) -> Int? {
        var start = 0
        while let index = pathEnds.candidate(from: start, &texts) {
            if rules[index].failure(&texts) == nil { return index }
            start = index + 1
        }
        return nil
    }
}
