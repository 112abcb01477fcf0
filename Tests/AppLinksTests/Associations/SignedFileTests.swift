// Files in a CMS signature (RFC 5652), as iOS 8 asked for them: unwrapped in every form of length,
// never verified, and never a reason to trap.

import AppLinks
import LinkPatterns
import Mutations
import Testing

@Suite struct SignedFileTests {
    private static let json = Array(
        #"{"applinks":{"details":[{"appID":"A","paths":["/pier/*"]}]}}"#.utf8)

    private static let signedData: [UInt8] = [
        0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02,
    ]
    private static let data: [UInt8] = [
        0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01,
    ]

    /// A value in DER.
    private static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        let length: [UInt8] =
            count < 0x80
            ? [UInt8(count)]
            : count < 0x100
                ? [0x81, UInt8(count)] : [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
        return [tag] + length + content
    }

    /// A value of indefinite length (X.690 §8.1.3.6).
    private static func indefinite(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag, 0x80] + content + [0, 0]
    }

    private static let begin: [UInt8] = value(0x02, [1]) + value(0x31, value(0x30, data))
    private static let end: [UInt8] = value(0x31, value(0x30, value(0x02, [1])))

    private static func der(_ content: [UInt8]) -> [UInt8] {
        let wrapped = value(0x30, data + value(0xA0, value(0x04, content)))
        return value(0x30, signedData + value(0xA0, value(0x30, begin + wrapped + end)))
    }

    private static func ber(_ octets: [UInt8]) -> [UInt8] {
        let wrapped = indefinite(0x30, data + indefinite(0xA0, octets))
        return indefinite(
            0x30, signedData + indefinite(0xA0, indefinite(0x30, begin + wrapped + end)))
    }

    /// The file in every form, by name.
    private static let forms: [(name: String, bytes: [UInt8])] = [
        ("DER", der(json)),
        ("indefinite lengths", ber(indefinite(0x24, value(0x04, json)))),
        (
            "pieces",
            ber(
                indefinite(
                    0x24,
                    value(0x04, Array(json[..<7])) + value(0x04, [])
                        + value(0x04, Array(json[7...]))))
        ),
        (
            "pieces of a known length",
            ber(value(0x24, value(0x04, Array(json[..<7])) + value(0x04, Array(json[7...]))))
        ),
        (
            "pieces in pieces",
            ber(
                indefinite(
                    0x24,
                    indefinite(0x24, value(0x04, Array(json[..<7])))
                        + value(0x04, Array(json[7...]))))
        ),
        ("an indefinite set of digests", indefiniteSet),
    ]

    private static let indefiniteSet: [UInt8] = {
        let begin = value(0x02, [1]) + indefinite(0x31, indefinite(0x30, data))
        let wrapped = value(0x30, data + value(0xA0, value(0x04, json)))
        return value(0x30, signedData + value(0xA0, value(0x30, begin + wrapped + end)))
    }()

    @Test(arguments: forms.indices)
    func whatWasSignedIsRead(index: Int) throws {
        let form = Self.forms[index]
        let file = try AppSiteAssociation(reading: form.bytes)
        #expect(file.isSigned, "\(form.name)")
        #expect(file.fileSize == form.bytes.count)
        #expect(file.document.bytes == Self.json, "\(form.name)")
        #expect(file.decide(LinkURL("https://harbour.test/pier/1")).summary == "match 0 0")
        let finding = file.findings().first { $0.code == .signedFile }
        #expect(finding?.severity == .warning)
        #expect(finding?.pointer.isEmpty == true)
    }

    @Test func plainJSONIsNotSigned() throws {
        #expect(try !AppSiteAssociation(reading: Self.json).isSigned)
        #expect(!AppSiteAssociation.findings(in: Self.json).contains { $0.code == .signedFile })
        #expect(try !AppSiteAssociation(reading: Array("0".utf8)).isSigned)
    }

    @Test(arguments: forms.indices)
    func cutAndDamagedSignaturesNeverTrap(index: Int) {
        let bytes = Self.forms[index].bytes
        for count in bytes.indices {
            _ = AppSiteAssociation.findings(in: Array(bytes[..<count]))
        }
        var generator = SeededGenerator(seed: 30)
        var readCount = 0
        for _ in 0..<2_000 {
            let damaged = generator.mutation(of: bytes)
            if (try? AppSiteAssociation(reading: damaged)) != nil { readCount += 1 }
        }
        #expect(readCount > 20)
    }

    @Test func lengthsBeyondTheFileAreNoSignature() {
        for length: [UInt8] in [[0x84, 0xFF, 0xFF, 0xFF, 0xFF], [0x88], [0xFF], [0x80]] {
            #expect(throws: (any Error).self) {
                try AppSiteAssociation(reading: [0x30] + length + Self.signedData)
            }
        }
        let nested = [UInt8](repeating: 0x30, count: 1) + [UInt8](repeating: 0x80, count: 100_000)
        #expect(throws: (any Error).self) { try AppSiteAssociation(reading: nested) }
    }
}
