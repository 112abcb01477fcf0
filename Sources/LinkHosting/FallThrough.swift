// A callback that comes by GET to a host whose link file says that the URL opens an app: on a device
// with that app it should never have come. Whoever looks at it wants to know which rule says so.

import AppLinks
import HTTP1
import JSON
import ResultStore

/// A URL that should have opened an app, and came to the server.
package struct FallThrough {
    let visitor: LinkVisitor
    package let verdict: AssociationVerdict

    /// Nil when the URL was not followed, or the host's file has no app that opens it.
    ///
    /// O(rules of the file).
    package init?(_ request: Request, of site: Sites.Site?) {
        guard request.method == .get, let association = site?.association?.association,
            let url = request.url, Self.canOpenApps(url)
        else { return nil }
        verdict = association.decide(url)
        guard verdict.opensApp else { return nil }
        visitor = LinkVisitor(request)
    }

    /// Whether devices ask for the link file of the URL's host: never of an address or of a name
    /// without a dot.
    private static func canOpenApps(_ url: LinkURL) -> Bool {
        guard let host = url.host?.utf8, host.first != UInt8(ascii: "[") else { return false }
        let last = host.split(separator: UInt8(ascii: ".")).last ?? host[...]
        return host.contains(UInt8(ascii: ".")) && !last.allSatisfy { 0x30...0x39 ~= $0 }
    }

    /// What is stored of it.
    package var note: LinkNote {
        var json = JSONWriter(reservingCapacity: 256)
        json.object { json in
            json.member("visitor", visitor.rawValue)
            verdict.writeMembers(to: &json)
        }
        return LinkNote(fellThrough: visitor.followsLinks, explanation: json.bytes)
    }
}

extension Request {
    /// The URL that was asked for, as it was written; nil when no host was named.
    package var url: LinkURL? {
        guard let authority else { return nil }
        var bytes = Array((origin.isSecure ? "https://" : "http://").utf8)
        bytes += authority
        bytes += path
        if let query { bytes += [UInt8(ascii: "?")] + query }
        return LinkURL(utf8: bytes)
    }
}
