// Instructions for trusting the development authority on a device, and for removing it. The
// commands are for a person to read and paste; nothing is run.

import Text

/// Instructions for one authority.
struct TrustCommands {
    /// The authority's common name.
    let name: String
    /// The file of its certificate.
    let certificate: String
    /// The hosts that it may sign for; nil for all.
    var hosts: [String]?
    /// The port for TLS of the server that uses the certificates.
    let port: UInt16

    /// A place where it can be installed.
    private struct Place {
        var title: String
        var install: [String]
        var remove: String
        var note: String?
    }

    /// Instructions for all places, one paragraph each.
    var text: String {
        let opening = """
            Clients trust these certificates where "\(name)" is installed.
            Its key can impersonate \(sites): never copy it, and remove the authority when the work \
            is done.
            """
        let paragraphs = places.map { place in
            ([place.title] + place.install.map { "  install  " + $0 }
                + ["  remove   " + place.remove] + (place.note.map { ["  note     " + $0] } ?? []))
                .joined(separator: "\n")
        }
        return ([opening] + paragraphs).joined(separator: "\n\n")
    }

    private var sites: String {
        hosts.map { "these hosts and those below them: " + $0.joined(separator: ", ") }
            ?? "any site"
    }

    private var places: [Place] {
        let file = Self.quoted(certificate)
        let keychain = "/Library/Keychains/System.keychain"
        let android = "Settings > Security > Encryption & credentials"
        let debian = "/usr/local/share/ca-certificates/landfall.crt"
        return [
            Place(
                title: "macOS",
                install: ["sudo security add-trusted-cert -d -r trustRoot -k \(keychain) \(file)"],
                remove: "sudo security remove-trusted-cert -d \(file); "
                    + "sudo security delete-certificate -c \(Self.quoted(name)) \(keychain)"),
            Place(
                title: "iOS Simulator, the running one",
                install: ["xcrun simctl keychain booted add-root-cert \(file)"],
                remove: "xcrun simctl keychain booted reset",
                note: "reset empties the simulator's whole keychain."),
            Place(
                title: "iPhone, iPad",
                install: [
                    "send it the file by AirDrop, then in its Settings:",
                    "General > VPN & Device Management > \(name) > Install",
                    "General > About > Certificate Trust Settings > switch it on",
                ],
                remove: "General > VPN & Device Management > \(name) > Remove Profile",
                note: "link files are read from here only with ?mode=developer in the entitlement."
            ),
            Place(
                title: "Android",
                install: [
                    "adb push \(file) /sdcard/Download/landfall.crt",
                    "\(android) > Install a certificate > CA certificate",
                ],
                remove: "\(android) > Trusted credentials > User",
                note: "this is the user's store: browsers trust it, an app only if its network "
                    + "security configuration has <certificates src=\"user\"/>."),
            Place(
                title: "Debian, Ubuntu",
                install: ["sudo install -m 644 \(file) \(debian) && sudo update-ca-certificates"],
                remove: "sudo rm \(debian) && sudo update-ca-certificates --fresh"),
            Place(
                title: "curl, without installing",
                install: ["curl --cacert \(file) https://localhost:\(port)/healthz"],
                remove: "nothing to remove"),
        ]
    }

    /// A word as a POSIX shell reads it.
    static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy {
            $0.isAlphanumeric || "/._-+:@%".utf8.contains($0)
        }
        if isPlain && !word.isEmpty { return word }
        let parts = word.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.joined(separator: "'\\''") + "'"
    }
}
