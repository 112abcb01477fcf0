// Reads the files that are named on the command line; `-` is standard input. Also checks the URL,
// the domain and the app that they are asked about.

import AppLinks
import ArgumentParser
import Files
import Foundation
import JSON
import LinkPatterns

/// Files that were named on the command line.
enum LinkFiles {
    /// The files of a path: itself, or all link files in a folder, at any depth.
    ///
    /// Throws for a folder without link files.
    static func paths(of path: String) throws(AssociationFailure) -> [String] {
        guard path != "-", Folder.isFolder(path) else { return [path] }
        let names: Set = ["apple-app-site-association", "assetlinks.json"]
        let found = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String }
            .filter { names.contains($0.split(separator: "/").last.map(String.init) ?? "") }
            .sorted()
        guard let found, !found.isEmpty else {
            throw AssociationFailure(
                "\(path) has no file named \(names.sorted().joined(separator: " or ")).")
        }
        return found.map { path + (path.hasSuffix("/") ? "" : "/") + $0 }
    }

    /// The bytes of a file, or of standard input.
    static func content(of path: String) throws(AssociationFailure) -> [UInt8] {
        do throws(CommandFailure) {
            return try Console.input(path)
        } catch {
            throw AssociationFailure(error.description)
        }
    }

    /// The URL that devices make of a text.
    ///
    /// Throws for a text that isn't a link to a web site, or has a blank: no rule could match it.
    static func link(_ text: String, _ place: String) throws(AssociationFailure) -> LinkURL {
        guard let url = LinkURL(written: text) else {
            throw AssociationFailure(
                "\(place): a URL has no blanks and control characters: remove them, or write %20 "
                    + "for a space.")
        }
        guard url.isWebLink, url.hasValidAuthority else {
            throw AssociationFailure(
                "\(place): expected a URL with https:// and a valid host and port.")
        }
        return url
    }

    /// Throws for a `--domain` that isn't a host or `*.` and one, and for an empty `--app`.
    static func checkOptions(domain: String?, app: String?) throws(ValidationError) {
        if let domain {
            try checkHost(
                domain.hasPrefix("*.") ? String(domain.dropFirst(2)) : domain,
                "--domain must be a host, such as www.yourapp.com or *.yourapp.com")
        }
        if app?.isEmpty == true { throw ValidationError("--app must not be empty.") }
    }

    /// Throws for an option that isn't a host.
    ///
    /// - Parameter rule: what the option must be, as the beginning of a sentence.
    static func checkHost(_ host: String, _ rule: String) throws(ValidationError) {
        let url = LinkURL("https://" + host)
        guard url.host == host, url.hasValidAuthority, !host.contains("*") else {
            throw ValidationError("\(rule), without scheme, port and path.")
        }
    }

    /// Parses Apple's link file at a path; Android's is refused, as no rule of it decides.
    static func association(at path: String) throws(AssociationFailure) -> AppSiteAssociation {
        let content = try content(of: path)
        let association: AppSiteAssociation
        do throws(JSONFault) {
            association = try AppSiteAssociation(reading: content)
        } catch {
            throw AssociationFailure(error, in: path)
        }
        switch association.document.root.kind {
        case .object: return association
        case .array:
            throw AssociationFailure(
                "\(path) is an array, as Android's assetlinks.json is. `landfall association lint` "
                    + "checks it; only Apple's files are explained and compared by URL.")
        default:
            throw AssociationFailure("\(path): the file must be an object, {\"applinks\": {…}}.")
        }
    }
}
