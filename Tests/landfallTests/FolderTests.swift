// Why a file or folder can't be read, as people read it, and which change of a file is seen.

import Files
import Foundation
import Synchronization
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

    @Test func aDeviceInAFilesPlaceIsRefusedRatherThanReadForEver() {
        let sentence = sentence { _ = try Folder.content(ofOptional: "/dev/zero") }
        #expect(sentence == "/dev/zero can't be read: it is a pipe or a device, not a file.")
    }

    /// What can't be reached is never taken for missing.
    @Test func aLinkToNothingIsAnErrorRatherThanMissing() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (dangling, loop) = (folder.path + "/dangling", folder.path + "/loop")
        for (path, target) in [(dangling, "missing"), (loop, "loop")] {
            try FileManager.default.createSymbolicLink(
                atPath: path, withDestinationPath: target)
        }
        #expect(try Folder.content(ofOptional: folder.path + "/missing") == nil)
        #expect(try Folder.content(ofOptional: dangling + "/missing") == nil)
        #expect(
            sentence { _ = try Folder.content(ofOptional: dangling) }
                == "\(dangling) can't be read: it is a symbolic link to nothing.")
        #expect(sentence { _ = try Folder.content(ofOptional: loop + "/file") } != nil)
    }

    @Test func aFileThatAnotherOfItsSizeAndTimeReplacesIsSeen() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (file, other) = (folder.path + "/file", folder.path + "/other")
        for (path, text) in [(file, "one"), (other, "two")] {
            try Data(text.utf8).write(to: URL(filePath: path))
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_795_262_400)],
                ofItemAtPath: path)
        }
        let former = Folder.fingerprint(of: [file])
        #expect(Folder.fingerprint(of: [file]) == former)
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.moveItem(atPath: other, toPath: file)
        #expect(Folder.fingerprint(of: [file]) != former)
    }

    @Test func aChangeBetweenTheFirstReadingAndTheWatchIsSeen() async {
        let (changes, continuation) = AsyncStream<Void>.makeStream()
        let watch = Task {
            await FileWatch.run(every: .milliseconds(1), since: "before", { "after" }) {
                continuation.yield()
                return true
            }
            continuation.finish()
        }
        var count = 0
        for await _ in changes {
            count += 1
            watch.cancel()
        }
        #expect(count == 1)
    }

    @Test func aChangeThatCanNotBeReadIsTriedAgainUntilItCan() async {
        let (results, continuation) = AsyncStream<Bool>.makeStream()
        let watch = Task {
            var count = 0
            await FileWatch.run(every: .milliseconds(1), since: "before", { "after" }) {
                count += 1
                continuation.yield(count == 3)
                return count == 3
            }
            continuation.finish()
        }
        var all: [Bool] = []
        for await isRead in results {
            all.append(isRead)
            if isRead {
                // Longer than until the next attempt would be.
                try? await Task.sleep(for: .milliseconds(100))
                watch.cancel()
            }
        }
        #expect(all == [false, false, true])
    }
}
