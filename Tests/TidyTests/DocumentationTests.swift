// Rules of the documents that a machine can check: width, links, and whom a document is for.

import Foundation
import Testing

@Suite struct DocumentationTests {
    private let tree = SourceTree()

    private func guides() throws -> [SourceTree.File] {
        try tree.files(in: ["Documentation"], suffix: ".md")
    }

    private func documents() throws -> [SourceTree.File] {
        try guides() + ["README.md", ".github/CONTRIBUTING.md"].map(tree.file)
    }

    @Test func noLineIsWiderThan120Columns() throws {
        for document in try documents() {
            for (number, line) in document.lines.enumerated() where line.count > 120 {
                Issue.record("\(document.path):\(number + 1) has \(line.count) columns")
            }
        }
    }

    @Test func everyRelativeLinkLeadsToAFile() throws {
        for document in try documents() {
            let folder = tree.root.appending(path: document.path).deletingLastPathComponent()
            for link in document.lines.joined(separator: "\n").matches(of: /\]\(([^)\s]+)\)/) {
                let target = link.output.1.prefix { $0 != "#" }
                if target.isEmpty || target.contains("://") { continue }
                let file = folder.appending(path: String(target)).standardized
                #expect(
                    FileManager.default.fileExists(atPath: file.path()),
                    "\(document.path) links to \(target)")
            }
        }
    }

    @Test func everyGuideBeginsWithWhoNeedsIt() throws {
        for guide in try guides() {
            #expect(
                guide.lines.count > 2 && guide.lines[0].hasPrefix("# ") && guide.lines[1].isEmpty
                    && guide.lines[2].hasPrefix("For "),
                "\(guide.path) doesn't begin with a paragraph that says who needs it")
        }
    }
}
