// Which names a certificate can be made for, and what their files are called.

import Testing
import Vendors

@testable import DevelopmentCertificates
@testable import Files
@testable import LinkHosting
@testable import ResultAPI
@testable import Text

@Suite struct DomainNameTests {
    @Test(
        "RFC 1123 §2.1: labels of letters, digits and hyphens, 1 to 63 each and 253 in all",
        arguments: [
            ("www.example.com", "www.example.com"), ("WWW.Example.COM", "www.example.com"),
            ("localhost", "localhost"), ("3com.example", "3com.example"), ("a-b.c", "a-b.c"),
            ("xn--bcher-kva.example", "xn--bcher-kva.example"), ("10.example", "10.example"),
            ("*.example.com", "*.example.com"), ("*.A.b.c", "*.a.b.c"),
            (String(repeating: "a", count: 63) + ".b", String(repeating: "a", count: 63) + ".b"),
            (Self.name(253), Self.name(253)),
        ])
    func goodNamesAreTakenInLowerCase(name: String, taken: String) throws {
        #expect(try DomainName(name).text == taken)
    }

    @Test(
        "RFC 1123 §2.1 and RFC 9525 §6.3: what is no host name is refused with the reason",
        arguments: [
            ("", "1 to 253"), (Self.name(254), "1 to 253"), ("a..b", "1 to 63"), (".a", "1 to 63"),
            ("a.", "1 to 63"), (".", "1 to 63"),
            (String(repeating: "a", count: 64) + ".b", "1 to 63"), ("-a.b", "hyphen"),
            ("a-.b", "hyphen"), ("a_b.c", "letters, digits"), ("a b", "letters, digits"),
            ("../a", "1 to 63"), ("a/b", "letters, digits"), ("a\0.b", "letters, digits"),
            ("a\n.b", "letters, digits"), ("a@b.c", "letters, digits"),
            ("https://a.b", "host name:"), ("a.b:443", "host name:"),
            ("127.0.0.1", "host name:"), ("::1", "host name:"), ("1", "host name:"),
            ("bücher.example", "punycode"), ("\u{212A}.example", "punycode"),
            ("*", "two parts"), ("*.com", "two parts"), ("*.localhost", "two parts"),
            ("a.*.b.c", "whole first part"), ("a*.b.c", "whole first part"),
            ("**.b.c", "whole first part"), ("*.*.b.c", "whole first part"),
        ])
    func badNamesAreRefused(name: String, reason: String) {
        let error = #expect(throws: DevelopmentCertificateError.self) { try DomainName(name) }
        let sentence = error?.description ?? ""
        #expect(sentence.contains(reason), "\(sentence)")
        #expect(sentence.hasPrefix("No certificate can be made for \"\(name)\""))
    }

    @Test(arguments: [
        ("www.example.com", "www.example.com"), ("*.example.com", "_.example.com"),
        ("localhost", "localhost"),
    ])
    func fileNamesGoBothWays(name: String, fileName: String) throws {
        let domain = try DomainName(name)
        #expect(domain.fileName == fileName)
        #expect(DomainName(fileName: fileName) == domain)
    }

    @Test(arguments: ["*.example.com", "WWW.example.com", "_", "_.com", "a_b", "my certificate"])
    func otherFileNamesAreNoDomains(fileName: String) {
        #expect(DomainName(fileName: fileName) == nil)
    }

    @Test(arguments: Vendor.emulatedHosts)
    func emulatedHostsAreDomains(host: String) throws {
        #expect(try DomainName(host).text == host)
    }

    @Test(arguments: LaunchCheck.hosts.keys)
    func whoPlaysAVendorHasItsCertificateAndLinkFiles(host: String) throws {
        #expect(Vendor.emulatedHosts.contains(host))
        let sites = try Folder.list(#filePath.replacing(#/Tests/.*/#, with: "Config/sites"))
        #expect(sites.contains(host))
    }

    /// Single letters, then what is missing to some length from 253.
    private static func name(_ count: Int) -> String {
        String(repeating: "a.", count: 126) + String(repeating: "a", count: count - 252)
    }
}
