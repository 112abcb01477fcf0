// Compressed contents with what is in them. The bytes are fixed, most of them written by gzip 1.12
// and the others put together after RFC 1952, so that nothing here is tested against itself.

import Testing

@testable import Gzip

/// Bytes in the gzip format and what they inflate to.
struct GzipCase: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let content: [UInt8]

    var testDescription: String { name }

    init(_ name: String, _ hexadecimal: String, _ content: String) {
        self.name = name
        bytes = Self.bytes(hexadecimal)
        self.content = Array(content.utf8)
    }

    /// Octets from pairs of hexadecimal digits.
    static func bytes(_ hexadecimal: String) -> [UInt8] {
        var digits = hexadecimal.filter { $0 != " " }.compactMap(\.hexDigitValue)[...]
        var bytes: [UInt8] = []
        while let high = digits.popFirst(), let low = digits.popFirst() {
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }

    static let abc = GzipCase("abc", "1f8b0800000000000003 4b4c4a0600 c2412435 03000000", "abc")

    static let single: [GzipCase] = [
        abc,
        GzipCase(
            "gzip -n", "1f8b0800000000000003cb48cdc9c9d751c849cc4b494bccc9e10200f6776e6f10000000",
            "hello, landfall\n"),
        GzipCase("gzip -n: nothing", "1f8b080000000000000303000000000000000000", ""),
        GzipCase(
            "gzip -n -9: repeats",
            """
            1f8b0800000000000203 cb48cdc9c9d751c849cc4b494bccc9e1ca18e58ff2e9c80700\
             06b8e1d980020000
            """,
            String(repeating: "hello, landfall\n", count: 40)),
        GzipCase(
            "gzip -n -1", "1f8b08000000000004034b4c4a4e44455c004ae4663513000000",
            "abcabcabcabcabcabc\n"),
        GzipCase(
            "gzip: name and time",
            "1f8b08086c36016b00036e616d652e74787400cb4bcc4d4de10200dcf07a4106000000", "named\n"),
        GzipCase(
            "gzip -n -9: codes of its own",
            """
            1f8b0800000000000203 2d904b92c33008052fc4c280c4a7de69e29a6cecb253934d5239fdc0c4da098\
            9a61f0b2139694568d0fd0e9f4edbb6c1dce8b70e664ec2e4413b862abddfd029741c07c4997eea80732\
            1f092f484043d1ec8e1749e27c2acae55f028882f835e30d1eac21c5fc8302e6653a32092491f0847cd0\
            6eb57655a89955a7a412207dd10acb4ae70957e824dee9ff5d50b32a2216309da77a878f321c37ade01b\
            6a6b489d2f3891469c5aa702b9f702b8479879919f47a5578ef9c15ff42e82c8478af8453e9f301b3f4b\
            6a09747ce8284f55e3d826eb70aef65bc56fc2bcd1c051936a8bae21fa28b94f10e916b257fd0dbf96e9\
            c010000
            """,
            """
            0,;919,b;838,ee;757,jjj;676,qqqq;595,;514,k;433,xx;352,mmm;271,dddd;190,;109,r;28,\
            oo;947,nnn;866,oooo;785,;704,w;623,dd;542,mmm;461,xxxx;380,;299,z;218,qq;137,jjj;56,\
            eeee;975,;894,a;813,bb;732,eee;651,jjjj;570,;489,z;408,kk;327,xxx;246,mmmm;165,;84,w;\
            3,rr;922,ooo;841,nnnn;760,;679,r;598,ww;517,ddd;436,mmmm;355,;274,k;193,zz;112,qqq;\
            31,jjjj;950,;869,b;788,aa;707,bbb;626,eeee;545,;464,q;383,zz;302,kkk;221,xxxx;
            """),
        GzipCase(
            "RFC 1951 §3.2.4: a stored block",
            """
            1f8b0800010203040003 010f00f0ff 73746f7265642061732069742069 73 6578d15a 0f000000
            """, "stored as it is"),
        GzipCase(
            "RFC 1952 §2.3.1: FTEXT", "1f8b0801 010203040003 4b4c4a0600c241243503000000", "abc"),
        GzipCase(
            "RFC 1952 §2.3.1: FHCRC", "1f8b0802 010203040003 50f0 4b4c4a0600c241243503000000",
            "abc"),
        GzipCase(
            "RFC 1952 §2.3.1: FEXTRA",
            "1f8b0804 010203040003 0500 4142010078 4b4c4a0600c241243503000000", "abc"),
        GzipCase(
            "RFC 1952 §2.3.1: FCOMMENT", "1f8b0810 010203040003 6e6f00 4b4c4a0600c241243503000000",
            "abc"),
        GzipCase(
            "RFC 1952 §2.3.1: all of them",
            "1f8b081f 010203040003 0000 6e00 6300 0594 4b4c4a0600c241243503000000", "abc"),
    ]

    /// Several members in a row, empty ones among them.
    static let several: [GzipCase] = [
        joined("RFC 1952 §2.2: two members", [abc, abc]),
        joined("RFC 1952 §2.2: every member at once", single),
        joined("RFC 1952 §2.2: empty members around", [single[2], abc, single[2], single[2]]),
    ]

    static let all = single + several

    private init(name: String, bytes: [UInt8], content: [UInt8]) {
        self.name = name
        self.bytes = bytes
        self.content = content
    }

    private static func joined(_ name: String, _ members: [GzipCase]) -> GzipCase {
        GzipCase(
            name: name, bytes: members.flatMap(\.bytes), content: members.flatMap(\.content))
    }
}

/// What an inflater makes of some pieces.
struct Inflation: Equatable {
    var content: [UInt8] = []
    var error: GzipError?

    /// Feeds `bytes`, cut into pieces of so many bytes, and ends.
    init(
        _ bytes: [UInt8], pieces: Int = .max, limit: Int = 1 << 20,
        ratio: Int = Gzip.Limits.inflationRatio
    ) {
        var cuts: [Int] = []
        if pieces < bytes.count { cuts = Array(stride(from: pieces, to: bytes.count, by: pieces)) }
        self.init(bytes, cuts: cuts, limit: limit, ratio: ratio)
    }

    /// Feeds `bytes`, cut at `cuts`, and ends.
    init(
        _ bytes: [UInt8], cuts: [Int], limit: Int = 1 << 20, ratio: Int = Gzip.Limits.inflationRatio
    ) {
        var inflater = Inflater(limit: limit, ratio: ratio)
        do throws(GzipError) {
            for (start, end) in zip([0] + cuts, cuts + [bytes.count]) {
                try inflater.inflate(Array(bytes[start..<end]), into: &content)
            }
            try inflater.finish()
        } catch {
            self.error = error
        }
    }
}
