// x
import Testing

@testable import Gzip

@Test func x() throws {
    let content = Array(String(repeating: "hello world ", count: 1000).utf8)
    let z = try #require(Gzip.compress(content, level: 6))
    var out: [UInt8] = []
    var i = Inflater(limit: 100000)
    try i.inflate(z, into: &out)
    try i.finish()
    #expect(out == content)
}
