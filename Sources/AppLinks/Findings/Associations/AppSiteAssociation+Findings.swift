// What the author of a link file should check. The model reads any file as Apple does; the findings
// show where that is probably not what was meant.

import JSON
import Text

extension AppSiteAssociation {
    /// Errors and surprises in the file, in its order; up to 1,000 of each severity.
    ///
    /// O(length), apart from the comparison of rules, which is bounded.
    public func findings() -> [Finding] {
        var lint = AssociationLint(self)
        lint.run()
        return lint.findings.all.sorted { $0.position.offset < $1.position.offset }
    }

    /// Errors and surprises in a file; a text that isn't JSON has one finding.
    public static func findings(in bytes: [UInt8]) -> [Finding] {
        do throws(JSONFault) {
            return try AppSiteAssociation(reading: bytes).findings()
        } catch {
            return [Finding(error)]
        }
    }
}

/// The walk over a file that produces its findings.
struct AssociationLint {
    let file: AppSiteAssociation
    let root: FindingPlace
    var findings: Findings

    /// The names of the file's variables that a pattern uses.
    var usedVariables: Set<String> = []

    /// The variables in patterns that are compared with the URL as written.
    var writtenVariables: Set<String> = []

    /// The variables in patterns that are compared with the decoded URL.
    var decodedVariables: Set<String> = []

    /// The first entry of each app.
    var firstEntries: [String: Int] = [:]

    /// Number of steps left for comparing patterns.
    var inclusionSteps = Limits.inclusionSteps

    init(_ file: AppSiteAssociation) {
        self.file = file
        root = FindingPlace(node: file.document.root, pointer: "")
        findings = Findings(of: file.document)
    }

    mutating func run() {
        checkFile()
        guard root.node.kind == .object else {
            return findings.add(
                .rootNotObject, .error, root, "The file must be an object: {\"applinks\": {…}}.")
        }
        findings.addDuplicateKeys(of: file.document)
        checkServices()
        if let links = root["applinks"] { checkLinks(links) }
    }

    private mutating func checkFile() {
        let limit = Limits.associationBytes
        if file.fileSize > limit {
            findings.add(
                .tooLarge, .error, root,
                "The file has \(file.fileSize) bytes, and Apple's systems read at most \(limit): write "
                    + "fewer rules, with wildcards or substitution variables.")
        } else if file.fileSize > limit / 5 * 4 {
            findings.add(
                .nearSizeLimit, .warning, root,
                "The file has \(file.fileSize) of the \(limit) bytes that Apple's systems read.")
        }
        if file.isSigned {
            findings.add(
                .signedFile, .warning, root,
                "Only iOS 8 needs a signature: serve the plain JSON.")
        }
    }

    private static let services = [
        "applinks", "webcredentials", "appclips", "activitycontinuation", "authsrv",
        "messagefilter", "classificationreport",
    ]

    private mutating func checkServices() {
        for (name, place) in root.members {
            let text = name.string ?? ""
            guard Self.services.contains(text) else {
                checkUnknown(name, place.pointer, among: Self.services, .info)
                continue
            }
            if requireKind(.object, of: place, "\(text) must be an object."), text != "applinks" {
                checkApps(of: place, ofClips: text == "appclips")
            }
        }
        if !Self.services.contains(where: { root.node[$0] != nil }) {
            findings.add(
                .noServices, .warning, root,
                "The file associates nothing with an app: for universal links, add \"applinks\" with "
                    + "\"details\".")
        }
    }

    /// Whether a service besides links names an app, so that the file is of use without links.
    var hasAppsWithoutLinks: Bool {
        Self.services.contains { service in
            service != "applinks"
                && root.node[service]?["apps"]?.elements.contains { $0.string != nil } == true
        }
    }

    /// Checks the apps of a service without patterns.
    ///
    /// An empty object is often a reserved place; one with other keys was meant to name apps.
    private mutating func checkApps(of service: FindingPlace, ofClips: Bool) {
        guard let apps = service["apps"] else {
            return findings.add(
                .missingAppID, service.node.count == 0 ? .warning : .error, service,
                "Name the apps: {\"apps\": [\"PREFIX.bundle.id\"]}.")
        }
        guard requireKind(.array, of: apps, "apps must be an array of app IDs.") else { return }
        for app in apps.elements {
            checkAppID(app)
            if ofClips, let id = app.node.string, !id.hasSuffix(".Clip") {
                findings.add(
                    .appClipID, .info, app, "The IDs of App Clips end with .Clip by convention.")
            }
        }
    }

    /// Reports an unknown key; one that resembles a known key is always an error.
    mutating func checkUnknown(
        _ name: JSONNode, _ pointer: @autoclosure () -> String, among names: [String],
        _ severity: Finding.Severity, _ consequence: String = "it is ignored"
    ) {
        let text = name.string ?? ""
        if let meant = Spelling.nearest(to: text, among: names) {
            findings.add(
                .misspelledKey, .error, pointer(), at: name,
                "\"\(text)\" is unknown, so \(consequence): write \"\(meant)\".")
        } else {
            findings.add(
                .unknownKey, severity, pointer(), at: name,
                "\"\(text)\" is unknown to Apple's systems, so \(consequence). Known here: "
                    + names.joined(separator: ", ") + ".")
        }
    }

    /// Whether a value has the required kind; reports it if not.
    mutating func requireKind(
        _ kind: JSONNode.Kind, of place: FindingPlace, _ message: String,
        _ consequence: String = "and ignored"
    ) -> Bool {
        if place.node.kind == kind { return true }
        findings.add(
            .wrongType, .error, place, "\(message) It is \(place.node.kind.phrase), \(consequence)."
        )
        return false
    }

    // MARK: App IDs

    /// Checks an app ID: application identifier prefix, a dot, bundle ID.
    mutating func checkAppID(_ place: FindingPlace) {
        guard let id = place.node.string else {
            return findings.add(
                .wrongType, .error, place, "An app ID must be a string, and is ignored otherwise.")
        }
        if let fault = Self.fault(ofAppID: id) {
            return findings.add(
                .malformedAppID, .error, place,
                "\"\(id)\" is not an app ID: \(fault). Write the ten characters of the application "
                    + "identifier prefix (mostly the team ID), a dot and the bundle ID.")
        }
        if Self.isPlaceholder(id) {
            findings.add(
                .placeholderAppID, .warning, place,
                "\"\(id)\" looks like an example: write your own ID.")
        }
    }

    private static func fault(ofAppID id: String) -> String? {
        guard let dot = id.utf8.firstIndex(of: UInt8(ascii: ".")) else { return "it has no dot" }
        let prefix = id.utf8[..<dot]
        let bundle = id.utf8[id.utf8.index(after: dot)...]
        if prefix.count != 10 { return "the prefix has \(prefix.count) characters" }
        let isUpperOrDigit = prefix.allSatisfy { byte in
            CharacterClass.upper.contains(byte) || CharacterClass.digit.contains(byte)
        }
        if !isUpperOrDigit { return "the prefix has other characters than A to Z and 0 to 9" }
        if bundle.isEmpty { return "the bundle ID is missing" }
        if bundle.contains(UInt8(ascii: "*")) { return "a wildcard matches no app" }
        let isBundle = bundle.allSatisfy { byte in
            CharacterClass.alnum.contains(byte) || byte == UInt8(ascii: ".")
                || byte == UInt8(ascii: "-")
        }
        return isBundle ? nil : "a bundle ID has letters, digits, dots and hyphens only"
    }

    private static let placeholderPrefixes: Set = [
        "ABCDE12345", "ABCDEFGHIJ", "ABCDEF1234", "ABCD123456", "TEAMID1234",
        "YOURTEAMID", "XXXXXXXXXX", "0123456789", "1234567890", "9JA89QQLNQ", "0000000000",
    ]

    private static func isPlaceholder(_ id: String) -> Bool {
        let prefix = String(id.prefix(10))
        let bundle = id.dropFirst(11).lowercased()
        return placeholderPrefixes.contains(prefix) || bundle.hasPrefix("com.example.")
            || bundle == "com.example" || bundle.hasPrefix("com.yourcompany.")
            || bundle.hasPrefix("com.company.")
    }
}
