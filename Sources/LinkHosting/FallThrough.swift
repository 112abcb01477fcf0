// Detects a callback that arrives by GET although the host's link file says that its URL opens an
// app: on a device with the app, the request should not have reached the server. Names the rule.

import AppLinks
import HTTP1
import JSON
import LinkPatterns
import ResultStore
import Text

/// A URL that should have opened an app but reached the server.
package struct FallThrough {
    let visitor: LinkVisitor
    let verdict: AssociationVerdict

    /// Nil unless the request is a GET for a URL that an app in the host's file opens.
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

    /// Whether devices fetch the link file of the URL's host: not for an address or a name without
    /// a dot.
    private static func canOpenApps(_ url: LinkURL) -> Bool {
        guard let host = url.host?.utf8, host.first != UInt8(ascii: "[") else { return false }
        let last = host.split(separator: UInt8(ascii: ".")).last ?? host[...]
        return host.contains(UInt8(ascii: ".")) && !last.allSatisfy(\.isDigit)
    }

    /// The note in the record.
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
    /// The requested URL as written; nil without a host.
    package var url: LinkURL? {
        guard let authority else { return nil }
        var bytes = Array((origin.isSecure ? "https://" : "http://").utf8)
        bytes += authority
        bytes += path
        if let query { bytes += [UInt8(ascii: "?")] + query }
        return LinkURL(utf8: bytes)
    }
}
