// Checks the entries of `applinks`: their apps and their lists.

import JSON
import Text

extension AssociationLint {
    private static let linkKeys = ["apps", "details", "defaults", "substitutionVariables"]
    private static let detailKeys = ["appID", "appIDs", "paths", "components", "defaults"]

    mutating func checkLinks(_ links: FindingPlace) {
        guard links.node.kind == .object else { return }
        for (name, place) in links.members where !Self.linkKeys.contains(name.string ?? "") {
            checkUnknown(name, place.pointer, among: Self.linkKeys, .warning)
        }
        if let defaults = links["defaults"] {
            let details = file.details
            checkDefaults(defaults, over: ComponentKeys()) { key in
                details.filter { $0.node["defaults"]?[key] == nil }
            }
        }
        let variables = links["substitutionVariables"]
        if let variables { checkVariables(variables) }
        checkEntries(of: links)
        if let variables {
            checkUse(of: variables)
            checkValues(of: variables)
        }
    }

    private mutating func checkEntries(of links: FindingPlace) {
        let apps = links["apps"]
        if let apps, requireKind(.array, of: apps, "apps must be an array."), apps.node.count > 0 {
            findings.add(
                .appsNotEmpty, .warning, apps,
                "Leave apps empty: only iOS 8 reads it, or any system if there are no details, and "
                    + "then every URL opens these apps.")
        }
        let severity: Finding.Severity = hasAppsWithoutLinks ? .warning : .error
        guard let details = links["details"] else {
            if apps?.node.count ?? 0 == 0 {
                findings.add(
                    .noDetails, severity, links,
                    "Without details no URL opens an app: add "
                        + "\"details\": [{\"appIDs\": […], \"components\": […]}].")
            }
            return
        }
        let entries: [(FindingPlace, app: JSONNode?)]
        switch details.node.kind {
        case .array:
            entries = details.elements.map { ($0, nil) }
        case .object:
            findings.add(
                .dictionaryDetails, .warning, details,
                "The order of a dictionary isn't defined: write an array of entries with appIDs.")
            entries = details.members.map { ($0.place, $0.name) }
        default:
            _ = requireKind(.array, of: details, "details must be an array of entries.")
            return
        }
        if entries.isEmpty {
            findings.add(.noDetails, severity, details, "Without entries no URL opens an app.")
        }
        var models = file.details[...]
        for (entry, app) in entries {
            guard requireKind(.object, of: entry, "An entry must be an object.") else { continue }
            if let model = models.popFirst() { checkEntry(entry, app, model) }
        }
    }

    private mutating func checkEntry(
        _ entry: FindingPlace, _ app: JSONNode?, _ model: AssociationDetail
    ) {
        for (name, place) in entry.members where !Self.detailKeys.contains(name.string ?? "") {
            checkUnknown(name, place.pointer, among: Self.detailKeys, .warning)
        }
        checkApps(of: entry, app, model)
        if let defaults = entry["defaults"] {
            let outer = ComponentKeys().overridden(by: root.node["applinks"]?["defaults"])
            checkDefaults(defaults, over: outer) { _ in [model] }
        }
        let components = entry["components"]
        let paths = entry["paths"]
        if let components {
            _ = requireKind(.array, of: components, "components must be an array.")
        }
        if let paths { _ = requireKind(.array, of: paths, "paths must be an array.") }
        switch model.ruleList {
        case .everything:
            findings.add(
                .noPatterns, .warning, entry,
                "Without components and paths every URL of the domain opens the app: if that is "
                    + "meant, write \"components\": [{\"/\": \"*\"}].")
        case .components:
            if paths != nil {
                findings.add(
                    .mixedFormats, .info, entry,
                    "iOS 12 and older read paths, later ones components: keep them equal.")
            }
        case .paths:
            findings.add(
                .legacyPaths, .info, entry,
                "paths is the form of iOS 9; components can also look at queries and fragments.")
        }
        let list = model.ruleList == .components ? components : paths
        if let list, list.node.kind == .array {
            if model.rules.isEmpty {
                findings.add(.emptyRules, .warning, list, "An empty list opens nothing.")
            }
            for (place, rule) in zip(list.elements, model.rules) { checkRule(place, rule, model) }
            checkOrder(list, model)
        }
        // iOS 12 reads `paths`, so they are checked too.
        if model.ruleList == .components, let paths, paths.node.kind == .array {
            for path in paths.elements { checkLegacyPath(path, decodes: false) }
        }
    }

    private mutating func checkApps(
        of entry: FindingPlace, _ app: JSONNode?, _ model: AssociationDetail
    ) {
        var places: [FindingPlace] = []
        if let app {
            places = [FindingPlace(node: app, pointer: entry.pointer)]
        } else if let list = entry["appIDs"] {
            if requireKind(.array, of: list, "appIDs must be an array.") {
                places = list.elements
                if let single = entry["appID"] {
                    findings.add(
                        .ignoredAppID, .info, single,
                        "appIDs takes precedence; only iOS 12 and older read appID.")
                }
            } else if let single = entry["appID"] {
                places = [single]
            }
        } else if let single = entry["appID"] {
            places = [single]
        }
        for place in places { checkAppID(place) }
        if model.apps.isEmpty {
            findings.add(
                .missingAppID, .error, entry,
                "The entry names no app: add \"appIDs\": [\"PREFIX.bundle.id\"].")
        }
        for place in places {
            guard let id = place.node.string else { continue }
            if let first = firstEntries[id], let index = model.index {
                findings.add(
                    .duplicateApp, .warning, place,
                    first == index
                        ? "\(id) is named twice."
                        : "\(id) is in entry \(first) already, and only the first entry is used: "
                            + "move the rules there.")
            } else if let index = model.index {
                firstEntries[id] = index
            }
        }
    }

    // MARK: Variables

    private mutating func checkVariables(_ variables: FindingPlace) {
        guard
            requireKind(.object, of: variables, "substitutionVariables must be an object.")
        else { return }
        findings.add(
            .newerSystem, .info, variables, "Substitution variables need iOS 13.5 or macOS 10.15.6."
        )
        for (name, values) in variables.members {
            let text = name.string ?? ""
            if SubstitutionVariables.predefinedNames.contains(text) {
                findings.add(
                    .hiddenVariable, .warning, values.pointer, at: name,
                    "$(\(text)) is one of Apple's variables, which this one hides: choose another "
                        + "name.")
            }
            if text.contains(where: { "$()".contains($0) }) {
                findings.add(
                    .unterminatedVariable, .error, values.pointer, at: name,
                    "The name of a variable can't hold $, ( or ).")
            }
            guard requireKind(.array, of: values, "A variable must be an array of strings.") else {
                continue
            }
            for value in values.elements
            where requireKind(.string, of: value, "The value of a variable must be a string.") {
                if Array((value.node.string ?? "").utf8).holds(Array("$(".utf8)) {
                    findings.add(
                        .nestedVariable, .error, value,
                        "The value of a variable can't hold a variable: write its values out.")
                }
            }
        }
    }

    /// Reports values that no URL can hold as written, of variables that no decoding rule uses.
    private mutating func checkValues(of variables: FindingPlace) {
        for (name, place) in variables.members where place.node.kind == .array {
            guard let text = name.string, writtenVariables.contains(text),
                !decodedVariables.contains(text)
            else { continue }
            let values = place.elements.filter { $0.node.kind == .string }
            let unencoded = values.filter {
                ($0.node.string ?? "").utf8.contains(where: \.isEncodedInURLs)
            }
            for value in unencoded {
                findings.add(
                    .unencodedPattern, unencoded.count == values.count ? .error : .warning, value,
                    "No URL that is compared as written holds this value: percent-encode it, or "
                        + "write \"percentEncoded\": false where $(\(text)) is used.")
            }
        }
    }

    /// Reports variables that no pattern uses, and used ones without values.
    private mutating func checkUse(of variables: FindingPlace) {
        for (name, place) in variables.members where place.node.kind == .array {
            guard let text = name.string else { continue }
            if !usedVariables.contains(text) {
                findings.add(
                    .unusedVariable, .info, place.pointer, at: name, "No pattern uses $(\(text)).")
            } else if place.node.count == 0 {
                findings.add(
                    .emptyVariable, .error, place,
                    "$(\(text)) has no value, so no pattern with it matches: write its values.")
            }
        }
    }
}
