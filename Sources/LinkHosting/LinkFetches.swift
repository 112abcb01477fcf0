// When the fetchers of Apple and Google last asked for a site's link files, and what they got.
//
// Invariant: bounded; the last fetch of each host, path and fetcher is kept. Left out: fetches
// before the start, and hosts without a site of their own, which the caller leaves out.

import Clocks
import HTTP1
import Synchronization

/// The last fetches of link files.
package final class LinkFetches: Sendable {
    /// One fetch.
    package struct Fetch: Sendable {
        package let fetcher: LinkFetcher
        package let path: String
        package let time: Timestamp
        package let status: Int
    }

    private struct Key: Hashable {
        let host: String
        let path: String
        let fetcher: LinkFetcher
    }

    private let last = Mutex<[Key: Fetch]>([:])

    /// Makes an empty list.
    package init() {}

    /// Notes a fetch from a site.
    package func note(_ fetcher: LinkFetcher, _ request: Request, on host: String, _ status: Int) {
        let path = String(decoding: request.path, as: UTF8.self)
        let fetch = Fetch(fetcher: fetcher, path: path, time: .now, status: status)
        let key = Key(host: host, path: path, fetcher: fetcher)
        last.withLock { last in
            // A path may be escaped in many ways; the usual spellings are few.
            guard last.count < Self.most || last[key] != nil else { return }
            last[key] = fetch
        }
    }

    /// The fetches from one host, by fetcher and path.
    package func fetches(of host: String) -> [Fetch] {
        last.withLock { last in last.filter { $0.key.host == host }.map(\.value) }
            .sorted { ($0.fetcher.rawValue, $0.path) < ($1.fetcher.rawValue, $1.path) }
    }

    /// Maximum number of fetches that are kept.
    package static let most = 1024
}
