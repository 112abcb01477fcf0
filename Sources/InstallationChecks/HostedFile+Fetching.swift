// Fetches link files as Apple's and Google's servers do: without following redirects, and as gzip
// where they are served so.

import AppLinks
import Gzip
import HTTPClient
import LinkPatterns

extension HostedFile {
    /// Maximum time for a file, in milliseconds; more than Apple's fetcher waits, so that a slow
    /// file is a finding.
    private static let longestMilliseconds: UInt64 = 10_000

    /// Maximum bytes of a file when it is inflated, as for one that wasn't compressed.
    private static let inflatedBytes = 64 * 1024 * 1024

    /// Fetches a link file.
    ///
    /// - Parameter authorities: certificates (PEM) to trust; nil for the system's.
    package init(
        _ kind: Kind, fetching url: String, trusting authorities: [UInt8]?
    ) async throws(ClientError) {
        var request = ClientRequest(.get, url, trusting: authorities)
        request.fields = [
            ("Accept", "application/json, */*;q=0.1"), ("Accept-Encoding", "gzip"),
        ]
        request.totalMilliseconds = Self.longestMilliseconds
        let start = ContinuousClock.now
        let response = try await Client.send(request)
        self.init(
            kind, at: LinkURL(url), status: response.status, location: response.head["location"],
            contentType: response.head["content-type"], content: try Self.content(of: response),
            time: ContinuousClock.now - start)
    }

    /// The content without its coding (RFC 9110 §8.4), of which only gzip is offered.
    private static func content(of response: ClientResponse) throws(ClientError) -> [UInt8] {
        let coding = response.head["content-encoding"]?.lowercased()
        // With any other status the content is ignored, and it may be absent.
        guard response.status == 200, coding == "gzip" || coding == "x-gzip" else {
            return response.body
        }
        var inflater = Inflater(limit: inflatedBytes)
        var content: [UInt8] = []
        do throws(GzipError) {
            try inflater.inflate(response.body, into: &content)
            try inflater.finish()
        } catch {
            throw .ended(
                reason: error == .tooLarge || error == .ratio
                    ? "The content is too large when it is inflated."
                    : "The content isn't valid gzip, as its Content-Encoding says.")
        }
        return content
    }
}
