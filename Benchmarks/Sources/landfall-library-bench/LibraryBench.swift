// What the libraries cost by themselves, without server and client: CPU time on made-up documents,
// beside what Foundation has for the same. Prints its figures as JSON; budgets are `Benchmarks/run`'s.
//
// Left out: everything that goes over a socket, which the other scenarios measure.

import Foundation

@main
enum LibraryBench {
    /// What is printed.
    private struct Report: Encodable {
        let rows: [Row]
    }

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 2, let rounds = Int(arguments[1]), rounds > 0 else {
            FileHandle.standardError.write(Data("usage: landfall-library-bench <rounds>\n".utf8))
            exit(2)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let report = Report(
            rows: try Row.ofReadingJSON(rounds: rounds) + Row.ofLinks(rounds: rounds)
                + Row.ofRouting(rounds: rounds) + Row.ofDecoding(rounds: rounds))
        print(String(decoding: try encoder.encode(report), as: UTF8.self))
    }
}
