import Foundation
import SteplineSupport
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5)))
struct ErrorTextTests {
    private struct Failure: LocalizedError {
        let errorDescription: String?
    }

    @Test(arguments: [
        ("no https://user:pass@host.example/a/b", "no https://<redacted>@host.example/a/b"),
        ("at http://h/p?token=abc&x=1#frag, then", "at http://h/p?token=…&x=…, then"),
        ("\"https://a.example/?q=1\" and ftp://me@b/", "\"https://a.example/?q=…\" and ftp://<redacted>@b/"),
        ("https://u:p@h?a=b https://u:p@h?a=b", "https://<redacted>@h?a=… https://<redacted>@h?a=…"),
        ("Authorization: Bearer abc.def.ghi", "Authorization: <redacted>"),
        ("sent authorization=secret, got 401", "sent authorization=<redacted>, got 401"),
        ("refused Bearer eyJhbGciOi.9 here", "refused Bearer <redacted> here"),
        ("Cookie: a=b; c=d", "Cookie: <redacted>"),
        ("basic authentication is needed", "basic authentication is needed"),
        ("a cookie was set", "a cookie was set"),
        ("nothing of the kind", "nothing of the kind"),
        ("ends with ://", "ends with ://"),
        ("İzmir sent Authorization: secret", "İzmir sent Authorization: <redacted>"),
        ("at 300 \u{212A}, Cookie: a=b", "at 300 \u{212A}, Cookie: <redacted>"),
        ("größer als https://ü:ß@h/ö?ä=é", "größer als https://<redacted>@h/ö?ä=…"),
        ("https://h/search?name=O'Brien&token=abc", "https://h/search?name=…&token=…"),
        ("at https://u:pa'ss@h/ now", "at https://<redacted>@h/ now"),
        ("at 'https://h/?q=O'Brien&a=b', and 'ftp://h'", "at 'https://h/?q=…&a=…', and 'ftp://h'"),
        ("['https://a/?x=1','https://u:p@b/']", "['https://a/?x=…','https://<redacted>@b/']"),
        ("'https://a.b'+'https://u:p@c/x'", "'https://a.b'+'https://<redacted>@c/x'"),
        ("https://proxy/https://u:p@h/?a=b", "https://proxy/https://<redacted>@h/?a=…"),
        ("https://https://u:p@h?to=https://u:p@i", "https://https://<redacted>@h?to=…"),
        ("https://u:p@\u{301}h/?\u{301}a=\u{301}b", "https://<redacted>@\u{301}h/?\u{301}a=…"),
        ("https://\u{301}u:p@h/", "https://<redacted>@h/"),
        ("'https://h/?a=b'\u{301} 'https://u:p@i'", "'https://h/?a=… 'https://<redacted>@i'"),
        ("Bearer \u{301}abc.def.ghi here", "Bearer <redacted> here"),
        ("Authorization:\u{301} secret", "Authorization:<redacted>"),
        ("Authorization: Token token=abc, coverage=all", "Authorization: <redacted>"),
        ("Proxy-Authorization: Digest username=\"joe\", response=\"1f\"", "Proxy-Authorization: <redacted>"),
        ("\"authorization: Digest a=\"joe\", b=\"1f\"\" was sent", "\"authorization: <redacted>\" was sent"),
        ("-H 'Authorization: Basic am9lOg==' was sent", "-H 'Authorization: <redacted>' was sent"),
        (
            #"["Authorization": "Digest a=\"joe\", b=\"1f\"", "Accept": "a/b"]"#,
            #"["Authorization": "<redacted>", "Accept": "a/b"]"#
        ),
        ("Authorization = \"Token a, b\"; Accept = c", "Authorization = \"<redacted>\"; Accept = c"),
        ("\"Authorization\": \"\", \"Accept\": \"a/b\"", "\"Authorization\": \"\", \"Accept\": \"a/b\""),
        ("Authorization: <redacted>, Accept: a/b", "Authorization: <redacted>, Accept: a/b"),
        ("a\nb\r\n c", "a b  c"),
    ])
    func `an error's text is one line without password, query value or credential`(
        given: String, shown: String
    ) {
        #expect(ErrorText.line(Failure(errorDescription: given)) == shown)
    }

    @Test(arguments: ["token", "access_token\u{301}", "\u{600}secret", "cl\u{E9}", "cle\u{301}-x"])
    func `a name that speaks of a secret hides its value, however it is written`(name: String) {
        #expect(Redaction(adding: ["cl\u{E9}"]).hides(name) && !Redaction.standard.hides("page"))
    }

    @Test func `a URLError doesn't tell its URL`() {
        let url = URL(filePath: "/user:pass@host.example")
        let error = URLError(.badURL, userInfo: [NSURLErrorFailingURLErrorKey: url])
        #expect(!ErrorText.line(error).contains("pass"))
    }

    @Test func `a decoding error has its place as a JSON Pointer`() throws {
        struct City: Decodable { let names: [String: [Int]] }
        func text(_ json: String) -> String {
            let error = #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(City.self, from: Data(json.utf8))
            }
            return ErrorText.line(error)
        }
        #expect(text(#"{"names": {"a/b~": [1, "x"]}}"#).hasPrefix("/names/a~1b~0/1: Expected to decode Int"))
        #expect(text("{}").hasPrefix("No value associated with key"))
        struct Broken: Error, CustomStringConvertible { let description = "line 3 is broken" }
        let context = DecodingError.Context(
            codingPath: [], debugDescription: "no text", underlyingError: Broken())
        #expect(ErrorText.line(DecodingError.dataCorrupted(context)) == "no text (line 3 is broken)")
    }

    @Test func `a long text shows none of its secrets`() {
        let text = String(repeating: "https://u:p@h?a=b bearer ", count: Chance.isSoak ? 20_000 : 2_000)
        #expect(!ErrorText.line(Failure(errorDescription: text)).contains("u:p"))
    }

    @Test func `an outcome says how it ended, and never what was made`() throws {
        let success = Outcome.success("a secret")
        #expect("\(success)" == "succeeded")
        #expect(try success.get() == "a secret")
        let cancelled = Outcome<String>.cancelled("the user left")
        #expect("\(cancelled)" == "cancelled: the user left")
        #expect(throws: CancellationError.self) { try cancelled.get() }
        let failed = Outcome<String>.failure(Failure(errorDescription: "at https://u:p@h/"))
        #expect("\(failed)" == "failed: at https://<redacted>@h/")
        #expect(failed.map(\.count).error is Failure)
    }

    @Test func `a reason keeps its code and words when it is stored`() throws {
        let reason: CancellationReason = "the user left"
        let again = try JSONDecoder().decode(CancellationReason.self, from: JSONEncoder().encode(reason))
        #expect(again == reason && again.code == .requested)
        #expect(CancellationReason.deadline != CancellationReason.unwanted)
    }
}
