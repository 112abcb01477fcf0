// Why a file or folder can't be read, as people read it.

import Files
import Testing

struct FolderTests {
    private func sentence(_ read: () throws -> Void) -> String? {
        do {
            try read()
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func aFileThatIsMissingIsSaidToBe() {
        let path = "\(#filePath)/missing"
        let missing = "\(path) can't be read: there is no file or folder of this name."
        #expect(sentence { _ = try Folder.content(of: path) } == missing)
        #expect(sentence { _ = try Folder.list(path) } == missing)
    }

    @Test func theSystemsReasonIsGivenForAFileThatIsThere() {
        let sentence = sentence { _ = try Folder.content(of: "/") }
        #expect(sentence == "/ can't be read: is a directory.")
    }
}
