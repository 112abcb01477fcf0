// `landfall send`: posts a vendor's sample callback, as a partner's back end would forward it.

import ArgumentParser
import Foundation
import HTTP1
import Vendors

struct Send: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Post a vendor's sample callback to a server, and print its answer.",
        discussion: "Exit code 0 when the callback was stored and decoded, 1 when not, 3 when the "
            + "server can't be reached.")

    /// The samples by name.
    enum SampleName: String, ExpressibleByArgument, CaseIterable {
        case welltory
        case dimmy
        case flux
        case ailet
    }

    @Argument(help: "The sample: welltory, dimmy, flux or ailet.")
    var sample: SampleName

    @Option(
        help: ArgumentHelp(
            "Where to post to: a server, or the whole URL of a callback route.", valueName: "url"))
    var to = "http://127.0.0.1:8080"

    @OptionGroup var trust: TrustOption

    func run() async throws {
        guard let sample = Sample.all.first(where: { $0.name == sample.rawValue }) else {
            throw ValidationError("There is no such sample.")
        }
        do {
            var request = ClientRequest(
                .post, destination(sample),
                fields: [("Content-Type", "application/x-www-form-urlencoded")],
                trusting: try trust.authorities())
            request.body = .bytes(Array(sample.query.utf8))
            let answer = try await Client.send(request)
            print(String(decoding: answer.body, as: UTF8.self))
            if answer.status != 201 { throw Exit.no }
        } catch let error as ClientError {
            FileHandle.standardError.write(Data("landfall: \(error)\n".utf8))
            throw Exit.environment
        }
    }

    /// A URL without a path means the vendor's route on that server.
    private func destination(_ sample: Sample) -> String {
        let server = to.hasSuffix("/") ? String(to.dropLast()) : to
        let hasPath = server.split(separator: "/", omittingEmptySubsequences: true).count > 2
        return hasPath ? to : "\(server)/callbacks/\(sample.vendor.rawValue)"
    }
}
