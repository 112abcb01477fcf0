// The target of a statement: a site, or an app and its certificates.

import Text

extension StatementReader {
    /// The target of a statement; nil if it is unusable.
    mutating func readTarget(of statement: FindingPlace) -> AssetLinks.Target? {
        let example =
            #"{"namespace": "android_app", "package_name": "…", "sha256_cert_fingerprints": ["…"]}"#
        guard let place = statement["target"] else {
            add(
                .targetMissing, .error, statement,
                "The statement has no target; add \"target\": \(example).")
            return nil
        }
        guard place.node.kind == .object else {
            add(
                .targetNotObject, .error, place,
                "\"target\" is \(place.node.kind.phrase), and must be an object; write \(example).")
            return nil
        }
        guard let namespace = place["namespace"] else {
            let isApp = place["package_name"] != nil || place["site"] == nil
            add(
                .namespaceMissing, .error, place,
                "The target doesn't say what it is; add \"namespace\": "
                    + (isApp ? "\"android_app\"." : "\"web\"."))
            findUnknownKeys(of: place, known: Self.webKeys + Self.appKeys.dropFirst())
            return nil
        }
        switch namespace.node.string {
        case "web": return readSite(of: place)
        case "android_app": return readApp(of: place)
        case let other:
            let written = other?.quoted ?? namespace.node.kind.phrase
            let meant = other.flatMap { Spelling.nearest(to: $0, among: ["web", "android_app"]) }
            add(
                .namespaceUnknown, .error, namespace,
                "A target is \"web\" or \"android_app\", not \(written); write "
                    + (meant?.quoted ?? "one of the two, or remove the statement")
                    + ".")
            return nil
        }
    }

    private static let webKeys = ["namespace", "site"]
    private static let appKeys = ["namespace", "package_name", "sha256_cert_fingerprints"]

    private mutating func readSite(of target: FindingPlace) -> AssetLinks.Target? {
        findUnknownKeys(of: target, known: Self.webKeys)
        guard let place = target["site"] else {
            add(
                .siteMissing, .error, target,
                "The target has no site; add \"site\": \"https://example.com\".")
            return nil
        }
        guard let site = place.node.string else {
            add(
                .siteInvalid, .error, place,
                "A site must be a string, and this is \(place.node.kind.phrase); write "
                    + "\"https://example.com\".")
            return nil
        }
        if let fault = WebSite.fault(of: site) {
            add(fault.code, .error, place, fault.message)
            return nil
        }
        return .web(site: site)
    }

    private mutating func readApp(of target: FindingPlace) -> AssetLinks.Target? {
        findUnknownKeys(of: target, known: Self.appKeys)
        let package = readPackage(of: target)
        let fingerprints = readFingerprints(of: target)
        guard let package, let fingerprints else { return nil }
        return .androidApp(package: package, fingerprints: fingerprints)
    }

    private mutating func readPackage(of target: FindingPlace) -> String? {
        guard let place = target["package_name"] else {
            add(
                .packageMissing, .error, target,
                "The target doesn't name its app; add \"package_name\", the applicationId of the "
                    + "app's build.gradle.")
            return nil
        }
        guard let package = place.node.string, Self.isPackage(package) else {
            let written = place.node.string?.quoted ?? place.node.kind.phrase
            add(
                .packageInvalid, .error, place,
                "\(written) is not a package name: it is words of letters, digits and _ with dots "
                    + "between them, none of which begins with a digit; write the applicationId of "
                    + "the app's build.gradle.")
            return nil
        }
        if !package.utf8.contains(UInt8(ascii: ".")) {
            add(
                .packageInvalid, .warning, place,
                "\(package.quoted) has no dot, and the name of an app's package has at least one; "
                    + "write the applicationId of the app's build.gradle.")
        }
        return package
    }

    private static func isPackage(_ name: String) -> Bool {
        name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .allSatisfy { word in
                guard let first = word.first, !first.isDigit else { return false }
                return word.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "_") }
            }
    }
}
