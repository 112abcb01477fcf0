// The key of pseudonyms: given, or made once and kept for its owner alone.

import Foundation
import Testing
import Vendors

@testable import LinkHosting
@testable import RezolveSandbox
@testable import Settings

@Suite("The key of pseudonyms")
struct PrivacyKeyTests {
    private func target(_ key: PrivacyKey) -> String {
        let callback = Callback(target: Array("/?stress=0.5".utf8))
        let masking = Masking(of: callback, from: .welltory, by: key.pseudonyms)
        return String(decoding: masking.callback.target, as: UTF8.self)
    }

    @Test("is made once, kept, and readable for its owner only")
    func made() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = Configuration()
        configuration.dataFolder = folder.path
        let first = target(try PrivacyKey(configuration))
        #expect(target(try PrivacyKey(configuration)) == first)
        let file = folder.appending(path: PrivacyKey.fileName)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        try FileManager.default.removeItem(at: file)
        #expect(target(try PrivacyKey(configuration)) != first)
        try Data("short".utf8).write(to: file)
        #expect(throws: ConfigurationError.self) { try PrivacyKey(configuration) }
    }

    @Test("is read before a start if there is one, and not made then")
    func known() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = Configuration()
        configuration.dataFolder = folder.path
        let isThere = try PrivacyKey(known: configuration) != nil
        #expect(!isThere)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        let made = target(try PrivacyKey(configuration))
        let known = try #require(try PrivacyKey(known: configuration))
        #expect(target(known) == made)
        try Data("short".utf8).write(to: folder.appending(path: PrivacyKey.fileName))
        #expect(throws: ConfigurationError.self) { try PrivacyKey(known: configuration) }
    }

    @Test("a given one is used, and nothing is written")
    func given() throws {
        var configuration = Configuration()
        configuration.dataFolder = "/nonexistent"
        configuration.privacyKey = "0123456789abcdef"
        let text = target(try PrivacyKey(configuration))
        #expect(text == target(PrivacyKey(text: "0123456789abcdef")))
        #expect(text != target(PrivacyKey(text: "0123456789abcdeg")))
        #expect(text != "/?stress=0.5")
        configuration.privacyKey = nil
        #expect(throws: ConfigurationError.self) { try PrivacyKey(configuration) }
    }
}
