// Reads the list of statements: valid ones go into the model, errors into the findings.
//
// Invariant: a statement in the model has no error outside of its dynamic rules. Rules without a
// named source are those of google/digitalassetlinks, specification and compatibility tests.

import JSON
import Text

/// A reader of one asset links file.
struct StatementReader {
    /// The findings.
    private(set) var findings: Findings

    /// The valid statements.
    private(set) var statements: [AssetLinks.Statement] = []

    /// The valid includes.
    var includes: [AssetLinks.Include] = []

    /// The place of each package's first statement, in order, and whether all its relations are
    /// well known.
    private var named: [(package: String, place: FindingPlace, isUsual: Bool)] = []
    private var namedPackages: Set<String> = []

    /// The packages that may open links, or were meant to.
    private var linkedPackages: Set<String> = []

    private var seen: [AssetLinks.Statement: String] = [:]

    init(_ document: JSONDocument) {
        findings = Findings(of: document)
    }

    /// Adds a finding about the value at `place`.
    mutating func add(
        _ code: FindingCode, _ severity: Finding.Severity, _ place: FindingPlace, _ message: String
    ) {
        findings.add(code, severity, place, message)
    }

    /// Adds a finding about a member's name.
    mutating func add(
        _ code: FindingCode, _ severity: Finding.Severity,
        _ member: (name: JSONNode, place: FindingPlace), _ message: String
    ) {
        findings.add(code, severity, member.place.pointer, at: member.name, message)
    }

    /// Reads the whole file.
    mutating func read(_ document: JSONDocument) {
        let root = FindingPlace(node: document.root, pointer: "")
        let byteCount = document.bytes.count
        if byteCount > Limits.assetLinksBytes {
            add(
                .tooLarge, .error, root,
                "The file has \(byteCount) bytes, and Android reads none of more than "
                    + "\(Limits.assetLinksBytes); keep only the statements that are needed.")
        }
        readList(root)
        // Last, so that many duplicate keys can't displace more important findings.
        findings.addDuplicateKeys(of: document)
    }

    private mutating func readList(_ root: FindingPlace) {
        guard root.node.kind == .array else {
            let isStatement = root["relation"] != nil || root["target"] != nil
            add(
                .rootNotArray, .error, root,
                "The file is \(root.node.kind.phrase), and must be an array of statements; "
                    + (isStatement ? "put [ before this one and ] after it." : "write [ … ]."))
            return
        }
        let members = root.elements
        if members.isEmpty {
            add(
                .noStatements, .warning, root,
                "The list is empty, so it associates no app with the site; write a statement, or "
                    + "serve no file.")
        }
        for member in members { readMember(member) }
        findAppsWithoutLinks()
    }

    private mutating func readMember(_ place: FindingPlace) {
        guard place.node.kind == .object else {
            add(
                .statementNotObject, .error, place,
                "This statement is \(place.node.kind.phrase); write "
                    + #"{"relation": […], "target": {…}}."#)
            return
        }
        if let include = place["include"] {
            readInclude(include, in: place)
            return
        }
        let relations = readRelations(of: place)
        let target = readTarget(of: place)
        note(relations, place["target"])
        let rules = readExtensions(of: place, relations: relations, target: target)
        findUnknownKeys(of: place, known: ["relation", "target", "include", "relation_extensions"])
        guard let relations, let target else { return }
        let statement = AssetLinks.Statement(
            relations: relations, target: target, dynamicRules: rules, pointer: place.pointer)
        statements.append(statement)
        findRepetition(of: statement, at: place)
    }

    private mutating func findRepetition(
        of statement: AssetLinks.Statement, at place: FindingPlace
    ) {
        if statement.dynamicRules != nil { return }
        let key = AssetLinks.Statement(
            relations: statement.relations.sorted(), target: statement.target, dynamicRules: nil,
            pointer: "")
        guard let earlier = seen[key] else {
            seen[key] = place.pointer
            return
        }
        add(
            .duplicateStatement, .info, place,
            "This statement repeats \(earlier); remove one of them.")
    }

    /// Reports members that no reader uses, such as misspelled ones.
    mutating func findUnknownKeys(of place: FindingPlace, known: [String]) {
        for member in place.members where findings.hasRoom(for: .warning) {
            let key = member.name.string ?? ""
            if known.contains(key) { continue }
            if let meant = Spelling.nearest(to: key, among: known), place[meant] == nil {
                add(
                    .misspelledKey, .warning, member,
                    "\(key.quoted) is unknown; write \(meant.quoted).")
            } else if Self.remarks.contains(key) {
                add(.unknownKey, .info, member, "\(key.quoted) is a remark, which is ignored.")
            } else {
                add(
                    .unknownKey, .warning, member,
                    "\(key.quoted) is unknown here; known are "
                        + known.joined(separator: ", ") + ".")
            }
        }
    }

    private static let remarks: Set<String> = [
        "comment", "comments", "_comment", "description", "$schema",
    ]
}

// Checks of apps across all statements.
extension StatementReader {
    /// Records the app that a statement names, valid or not, so that one error isn't reported
    /// twice.
    private mutating func note(_ relations: [String]?, _ target: FindingPlace?) {
        guard let name = target?["package_name"], let package = name.node.string else { return }
        let opensLinks = relations?.contains(AssetLinks.Relation.handleAllURLs) ?? true
        if opensLinks { linkedPackages.insert(package) }
        guard namedPackages.insert(package).inserted else { return }
        let isUsual = relations?.allSatisfy(AssetLinks.Relation.usual.contains) ?? true
        named.append((package, name, isUsual))
    }

    private mutating func findAppsWithoutLinks() {
        for app in named where !linkedPackages.contains(app.package) {
            add(
                .linkRelationMissing, app.isUsual ? .info : .warning, app.place,
                "No statement lets \(app.package.quoted) open the site's links; to allow it, add "
                    + "\(AssetLinks.Relation.handleAllURLs.quoted) to \"relation\".")
        }
    }
}
