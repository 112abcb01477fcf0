// Files that appear only when they are complete, when several are begun for one name.

import Testing

@testable import ResultStore

@Suite struct UnfinishedFileTests {
    @Test func aFileThatIsBeingWrittenCantBeBegunASecondTime() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/export"
        let first = try UnfinishedFile(path)
        try first.append(Array("fir".utf8))
        #expect(
            throws: StoreError.file(
                path: path, operation: "write", reason: "another process writes it")
        ) {
            try UnfinishedFile(path)
        }
        try first.append(Array("st".utf8))
        try first.finish()
        #expect(try folder.bytes(of: "export") == Array("first".utf8))
        let second = try UnfinishedFile(path)
        try second.append(Array("second".utf8))
        try second.finish()
        #expect(try folder.bytes(of: "export") == Array("second".utf8))
        #expect(try folder.names(in: "") == ["export"])
    }

    @Test func whatACrashLeftIsRemovedFirst() throws {
        let folder = try TemporaryFolder()
        try folder.write(Array("left".utf8), to: "export.unfinished")
        let file = try UnfinishedFile(folder.path + "/export")
        try file.append(Array("new".utf8))
        try file.finish()
        #expect(try folder.bytes(of: "export") == Array("new".utf8))
        #expect(try folder.names(in: "") == ["export"])
    }

    @Test func whatAnotherOneWritesUnderTheTemporaryNameIsLeftAlone() throws {
        let folder = try TemporaryFolder()
        let file = try UnfinishedFile(folder.path + "/export")
        try file.append(Array("own".utf8))
        try folder.remove("export.unfinished")
        try folder.write(Array("other".utf8), to: "export.unfinished")
        #expect(throws: StoreError.self) { try file.finish() }
        file.discard()
        #expect(try folder.names(in: "") == ["export.unfinished"])
        #expect(try folder.bytes(of: "export.unfinished") == Array("other".utf8))
    }
}
