// Address blocks: which texts name one, and which addresses are in it.

import Testing

@testable import Sockets

struct AddressBlockTests {
    @Test(
        "RFC 4632 §3.1, RFC 4291 §2.3: a block holds the addresses that share its prefix",
        arguments: [
            (
                "10.0.0.0/8", ["10.0.0.0", "10.255.255.255", "::ffff:10.1.2.3"],
                ["9.255.255.255", "11.0.0.0", "::10.0.0.0", "a00::"]
            ),
            (
                "192.168.4.0/22", ["192.168.4.0", "192.168.7.255"],
                ["192.168.3.255", "192.168.8.0"]
            ),
            ("127.0.0.1", ["127.0.0.1"], ["127.0.0.0", "127.0.0.2", "::1"]),
            ("127.0.0.1/32", ["127.0.0.1"], ["127.0.0.0", "127.0.0.2"]),
            ("0.0.0.0/0", ["0.0.0.0", "255.255.255.255", "::ffff:1.2.3.4"], ["::", "::1"]),
            ("128.0.0.0/1", ["128.0.0.0", "255.0.0.0"], ["127.255.255.255"]),
            ("::1", ["::1"], ["::", "::2", "127.0.0.1"]),
            ("fd00::/8", ["fd00::", "fdff:ffff::1"], ["fc00::", "fe00::", "253.0.0.0"]),
            ("2001:db8::/33", ["2001:db8:7fff::"], ["2001:db8:8000::", "2001:db9::"]),
            ("::/0", ["::", "ffff::1"], ["0.0.0.0", "::ffff:1.2.3.4"]),
            ("8000::/1", ["ffff::"], ["7fff::"]),
            ("::fffe:0:0/95", ["::fffe:1.2.3.4"], ["::fffd:0:0", "1.2.3.4"]),
            ("::ffff:10.0.0.0/104", ["10.1.2.3"], ["11.0.0.0", "::10.0.0.0"]),
            ("::ffff:0:0/96", ["0.0.0.0", "255.255.255.255"], ["::", "::fffe:0:0"]),
            ("::ffff:10.0.0.1", ["10.0.0.1"], ["10.0.0.2"]),
        ] as [(String, [String], [String])])
    func contains(_ text: String, _ members: [String], _ others: [String]) throws {
        let block = try #require(AddressBlock(text))
        for member in members {
            #expect(try block.contains(#require(IPAddress(member.utf8))), "\(member)")
        }
        for other in others {
            #expect(try !block.contains(#require(IPAddress(other.utf8))), "\(other)")
        }
    }

    @Test(
        "what names no block, or leaves open which, is refused",
        arguments: [
            "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/08",
            "10.0.0.0/8 ", " 10.0.0.0/8", "10.0.0.0 /8", "10.0.0.0/ 8", "10.0.0.0/8/8",
            "10.0.0.0//8",
            "10.0.0.0/a", "10.0.0.0/255.0.0.0", "10.0.0/8", "10/8", "10.0.0.1/8", "10.0.0.1/31",
            "128.0.0.0/0", "::/129", "::/1000", "::1/127", "1::/0", "fd00::1/8", "[::]/0", "::/",
            "::ffff:10.0.0.1/104", "::ffff:10.0.0.0/8", "::ffff:0:0/95", "::ffff:10.0.0.0/129",
            "10.0.0.0/128", "10.0.0.0/99999999999999999999", "localhost", "*", "10.0.0.0/８",
        ])
    func refuses(_ text: String) {
        #expect(AddressBlock(text) == nil)
    }

    @Test("blocks are equal when they hold the same addresses")
    func equality() {
        #expect(AddressBlock("10.0.0.0/8") == AddressBlock("::ffff:a00:0/104"))
        #expect(AddressBlock("127.0.0.1") == AddressBlock("127.0.0.1/32"))
        #expect(AddressBlock("10.0.0.0/8") != AddressBlock("10.0.0.0/9"))
    }
}
