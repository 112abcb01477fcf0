// When the fetchers of Apple and Google last asked for a site's link files, and what they got.
//
// Invariant: the last fetch of each host, path and fetcher is kept, so the sites bound the list. Left
// out: fetches before the start. The caller leaves out hosts without a site of their own, and gives
// one path for all of its spellings.

import Clocks
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
    package func note(_ fetcher: LinkFetcher, of path: String, on host: String, _ status: Int) {
        let fetch = Fetch(fetcher: fetcher, path: path, time: .now, status: status)
        last.withLock { $0[Key(host: host, path: path, fetcher: fetcher)] = fetch }
    }

    /// The fetches from one host, by fetcher and path.
    package func fetches(of host: String) -> [Fetch] {
        last.withLock { last in last.filter { $0.key.host == host }.map(\.value) }
            .sorted { ($0.fetcher.rawValue, $0.path) < ($1.fetcher.rawValue, $1.path) }
    }
}
