// What lists don't show: the token that opens a public page.
// Each table has its counterpart of text that must stay as it is.

import JSON
import Testing

@testable import Vendors

@Suite("Hiding of stored credentials")
struct HidingTests {
    @Test(
        "hides the token wherever it stands in a record",
        arguments: [
            (#"{"result":{"token":"T","a":1}}"#, #"{"result":{"token":"[hidden]","a":1}}"#),
            (#"{"target":"/?token=T&a=1","b":2}"#, #"{"target":"/?token=[hidden]&a=1","b":2}"#),
            (#"{"target":"/?a=1&to%6ben=T"}"#, #"{"target":"/?a=1&to%6ben=[hidden]"}"#),
            (#"{"target":"/?a=1&%74oken=T"}"#, #"{"target":"/?a=1&%74oken=[hidden]"}"#),
            (
                #"{"data":"{\"token\":\"T\",\"a\":1}"}"#,
                #"{"data":"{\"token\":\"[hidden]\",\"a\":1}"}"#
            ),
            (#"{"target":"/?to_ken=T&a=1"}"#, #"{"target":"/?to_ken=[hidden]&a=1"}"#),
            (#"{"result":{"T-oken":"T"}}"#, #"{"result":{"T-oken":"[hidden]"}}"#),
            (#"{"data":"toke-n=T"}"#, #"{"data":"toke-n=[hidden]"}"#),
            (#"{"data":"stress=1&token=T"}"#, #"{"data":"stress=1&token=[hidden]"}"#),
            (
                #"{"headers":[["Referer","https://h/?token=T"]]}"#,
                #"{"headers":[["Referer","https://h/?token=[hidden]"]]}"#
            ),
            (
                #"{"target":"/?token%5B%5D=T","result":{"token[]":"T","token ":"T"}}"#,
                #"{"target":"/?token%5B%5D=[hidden]","result":{"token[]":"[hidden]","token ":"[hidden]"}}"#
            ),
            (#"{"Token":null}"#, #"{"Token":"[hidden]"}"#),
        ])
    func tokens(record: String, expected: String) throws {
        let hidden = Redaction.hideShared(in: Array(record.utf8))
        #expect(String(decoding: hidden, as: UTF8.self) == expected)
        _ = try JSONDocument(parsing: hidden)
        #expect(Redaction.hideShared(in: hidden) == hidden)
    }

    @Test(
        "leaves everything else",
        arguments: [
            #"{"result":{"stress":0.3,"tokens":"x","csrf_token":"y","mytoken":1}}"#,
            #"{"found":"\"token\"","hint":"the parameter token"}"#, "{}", "",
        ])
    func others(record: String) {
        let bytes = Array(record.utf8)
        #expect(Redaction.hideShared(in: bytes) == bytes)
    }

    @Test("hides what the tables call a credential, and a glance can find it")
    func names() {
        for contract in Contract.allCases {
            for field in contract.fields where field.fieldClass == .credential {
                let name = field.path.last ?? ""
                #expect(Redaction.isShared(name))
                let text = Array("a=1&\(name)=x".utf8)
                #expect(Sought.shared.mayBe(in: text, text.indices))
            }
        }
        #expect(!Redaction.isShared("stress"))
    }

    @Test("is stored all the same")
    func stored() {
        let target = Array("/?token=T".utf8)
        #expect(Redaction.redactTarget(target) == target)
    }
}
