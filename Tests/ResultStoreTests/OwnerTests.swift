// Whom the files belong to that a command of root creates in the data folder of another user.

import Foundation
import Testing

@testable import ResultStore

@Suite struct OwnerTests {
    @Test(.enabled(if: geteuid() == 0))
    func whatRootCreatesBelongsToTheOwnerOfTheFolder() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.setAttributes(
            [.ownerAccountID: 12_345, .groupOwnerAccountID: 12_346], ofItemAtPath: folder.path)
        let store = try ResultStore(folder: folder.path + "/of/data", catalog: sampleCatalog)
        _ = try await store.append(sampleRecord(1))
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        let expected = ["of", "of/data", "of/data/LOCK", "of/data/index.sqlite", "of/data/results"]
        #expect(Set(names).isSuperset(of: expected))
        for name in names {
            let attributes = try FileManager.default.attributesOfItem(
                atPath: folder.path + "/" + name)
            let owner = try #require(attributes[.ownerAccountID])
            let group = try #require(attributes[.groupOwnerAccountID])
            #expect("\(owner) \(group)" == "12345 12346", "\(name)")
        }
        await store.close()
        #expect(names.contains { $0.hasSuffix(".jsonl") })
    }

    @Test(.enabled(if: geteuid() == 0))
    func anExportOfRootStaysRoots() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.setAttributes([.ownerAccountID: 12_345], ofItemAtPath: folder.path)
        let file = try UnfinishedFile(folder.path + "/export", isFolders: false)
        try file.finish()
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/export")
        #expect("\(try #require(attributes[.ownerAccountID]))" == "0")
    }
}
