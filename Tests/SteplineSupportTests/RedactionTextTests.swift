import Foundation
import SteplineSupport
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Secrets in texts of any kind: `Redaction.text(_:)` (MG-79).
@Suite("Redaction of texts", .timeLimit(.minutes(5)))
struct RedactionTextTests {
    private func shown(_ text: String) -> String { Redaction.standard.text(text) }

    private func expect(
        _ given: String, shows expected: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let found = shown(given)
        #expect(ExactText(found) == ExactText(expected), sourceLocation: sourceLocation)
        #expect(
            ExactText(shown(found)) == ExactText(found), "a second pass changes the text",
            sourceLocation: sourceLocation)
    }

    @Test(
        "user, password, query values and fragment of a URL are hidden, the rest is shown",
        arguments: [
            ("https://joe@h.example/", "https://<redacted>@h.example/"),
            ("https://joe:pa:ss@h.example/a", "https://<redacted>@h.example/a"),
            ("https://joe:p%40s%2Fs@h.example/a", "https://<redacted>@h.example/a"),
            ("https://joe:p@ss@h.example/a", "https://<redacted>@h.example/a"),
            ("https://:pass@h.example", "https://<redacted>@h.example"),
            ("HTTPS://JOE:PASS@H.EXAMPLE/A", "HTTPS://<redacted>@H.EXAMPLE/A"),
            ("https://joe:pass@[::1]:8080/x", "https://<redacted>@[::1]:8080/x"),
            ("https://joe:pass@h.example:8080/x", "https://<redacted>@h.example:8080/x"),
            ("ftp://joe:pass@h.example/a;type=i", "ftp://<redacted>@h.example/a;type=i"),
            ("git+ssh://joe:pass@h.example/a.git", "git+ssh://<redacted>@h.example/a.git"),
            (
                "postgresql://admin:pass@db.example/runs?sslmode=require",
                "postgresql://<redacted>@db.example/runs?sslmode=…"
            ),
            ("https://h.example/a@b", "https://h.example/a@b"),
            ("https://h.example/a:b@c/d", "https://h.example/a:b@c/d"),
            ("mail to joe@h.example", "mail to joe@h.example"),
            // Queries and fragments.
            ("http://h/?token=abc", "http://h/?token=…"), ("http://h?a=1&b=2", "http://h?a=…&b=…"),
            ("http://h/?a=&b=2&", "http://h/?a=…&b=…&"), ("http://h/?a=b=c", "http://h/?a=…"),
            ("http://h/?a=1;b=2", "http://h/?a=…"), ("http://h/?to%6Ben=%61bc", "http://h/?to%6Ben=…"),
            ("http://h/?=abc", "http://h/?=…"), ("http://h/p?", "http://h/p?"),
            ("http://h/?flag", "http://h/?flag"),
            ("http://h/#access_token=abc", "http://h/"), ("http://h/?a=1#b?c=d", "http://h/?a=…"),
            ("http://h/?to=https%3A%2F%2Fu%3Ap%40i%2F&b=1", "http://h/?to=…&b=…"),
            ("http://h/?a[]=1&a[]=2", "http://h/?a[]=…&a[]=…"),
            ("http://h/?when=1+2&where=Oslo,%20Norway", "http://h/?when=…&where=…"),
            // Escaped URLs.
            (
                #"{"url":"https:\/\/joe:s3cret@h\/?a=s3cret","n":1}"#,
                #"{"url":"https:\/\/<redacted>@h\/?a=…","n":1}"#
            ),
            (#""https:\/\/h\/a\/b""#, #""https:\/\/h\/a\/b""#),
            (
                "https://proxy/https%3A%2F%2Fjoe%3As3cret%40h%2F/end",
                "https://proxy/https%3A%2F%2F<redacted>@h//end"
            ),
            ("https://proxy/https%3A%2F%2Fh%2Fa", "https://proxy/https%3A%2F%2Fh%2Fa"),
            (
                "invalid URL https://h/?a=Bearer s3cret.def, sorry",
                "invalid URL https://h/?a=… <redacted>, sorry"
            ),
            ("see https://h/basic for more", "see https://h/basic for more"),
        ])
    func urls(given: String, expected: String) { expect(given, shows: expected) }

    @Test(
        "headers that authenticate are hidden up to their end, and JSON keeps its form around them",
        arguments: [
            ("Authorization: Bearer abc.def", "Authorization: <redacted>"),
            ("AUTHORIZATION:BEARER ABC.DEF", "AUTHORIZATION:<redacted>"),
            ("authorization = secret", "authorization = <redacted>"),
            ("Proxy-Authorization: Basic am9lOnBhc3M=", "Proxy-Authorization: <redacted>"),
            ("Cookie: sid=abc; theme=dark", "Cookie: <redacted>"),
            ("set-cookie: sid=abc; Path=/; HttpOnly", "set-cookie: <redacted>"),
            ("Cookie: sid=abc\nAccept: a/b", "Cookie: <redacted>\nAccept: a/b"),
            ("Cookie: sid=abc\r\nAccept: a/b", "Cookie: <redacted>\r\nAccept: a/b"),
            ("< Set-Cookie: sid=abc\n< Age: 1\n", "< Set-Cookie: <redacted>\n< Age: 1\n"),
            ("curl -H 'Cookie: sid=abc' http://h/", "curl -H 'Cookie: <redacted>' http://h/"),
            ("curl -H \"Cookie: sid=abc\" http://h/", "curl -H \"Cookie: <redacted>\" http://h/"),
            (
                "Authorization: AWS4-HMAC-SHA256 Credential=A/2, Signature=1f\r\nAccept: a/b",
                "Authorization: <redacted>\r\nAccept: a/b"
            ),
            // JSON.
            (#"{"authorization":"Bearer abc.def","n":1}"#, #"{"authorization":"<redacted>","n":1}"#),
            (#"{"Cookie": "a=b; c=d", "n": 1}"#, #"{"Cookie": "<redacted>", "n": 1}"#),
            (#"{"url":"https://u:p@h/?k=v","n":1}"#, #"{"url":"https://<redacted>@h/?k=…","n":1}"#),
            (#"["https://u:p@h/", "Basic am9lOnA="]"#, #"["https://<redacted>@h/", "Basic <redacted>"]"#),
            (#"{"authorization":"","cookie":"","n":1}"#, #"{"authorization":"","cookie":"","n":1}"#),
            // Each value of a header with cookies.
            ("Set-Cookie: a=1; Path=/, sid=s3cret; Path=/", "Set-Cookie: <redacted>"),
            (#"Cookie: sid="s3cret"; theme=dark"#, "Cookie: <redacted>"),
            (#"{"Set-Cookie":["sid=s3cret","a=b"],"n":1}"#, #"{"Set-Cookie":["<redacted>"],"n":1}"#),
            (#"{"Set-Cookie":["a=[1]","sid=s3cret"]}"#, #"{"Set-Cookie":["<redacted>"]}"#),
            ("\"Cookie\": [\n  \"a=1\",\n  \"sid=s3cret\"\n]", "\"Cookie\": [\n  \"<redacted>\"\n]"),
            ("Cookie: [a]b=s3cret", "Cookie: [<redacted>"),
            (#"{"Cookie":"[a]b=s3cret","n":[1]}"#, #"{"Cookie":"[<redacted>","n":[1]}"#),
            (#"{"cookie":[],"n":1}"#, #"{"cookie":[],"n":1}"#),
            (#"{"cookie":""}"#, #"{"cookie":""}"#),
            (#"[AnyHashable("Set-Cookie"): "sid=s3cret"]"#, #"[AnyHashable("Set-Cookie"): "<redacted>"]"#),
            (
                #"[AnyHashable("Authorization"): "Digest a, b", AnyHashable("Age"): "1"]"#,
                #"[AnyHashable("Authorization"): "<redacted>", AnyHashable("Age"): "1"]"#
            ),
        ])
    func headers(given: String, expected: String) { expect(given, shows: expected) }

    @Test(
        "credentials behind Bearer and Basic are hidden anywhere in a text",
        arguments: [
            ("refused: Bearer abc.def (expired)", "refused: Bearer <redacted> (expired)"),
            ("refused (bearer abc.def)", "refused (bearer <redacted>)"),
            ("BASIC am9lOnBhc3M=, then", "BASIC <redacted>, then"),
            ("Bearer abcdefghijklmnop", "Bearer <redacted>"), ("\"Bearer a1\"", "\"Bearer <redacted>\""),
            ("[Bearer a1]", "[Bearer <redacted>]"),
            ("Bearer=a1;Basic:b2", "Bearer=<redacted>;Basic:<redacted>"),
            ("a1 Bearer a1", "a1 Bearer <redacted>"),
            ("Bearer a1 Bearer b2", "Bearer <redacted> Bearer <redacted>"),
        ])
    func schemes(given: String, expected: String) { expect(given, shows: expected) }

    @Test(
        "a secret inside another one is hidden with it",
        arguments: [
            ("Authorization: Bearer https://u:p@h/?a=b", "Authorization: <redacted>"),
            ("Cookie: to=https://u:p@h/?a=b; c=d", "Cookie: <redacted>"),
            ("https://h/?Authorization=abc", "https://h/?Authorization=<redacted>"),
            ("https://h/?a=Bearer%20abc.def", "https://h/?a=…"),
            ("https://a/https://u:p@b/", "https://a/https://<redacted>@b/"),
            ("https://u:p@a?x=https://v:q@b?y=z", "https://<redacted>@a?x=…"),
            ("Authorization: Authorization: abc", "Authorization: <redacted>"),
        ])
    func overlaps(given: String, expected: String) { expect(given, shows: expected) }

    @Test(
        "marks that join signs hide neither the sign nor the secret",
        arguments: [
            ("https:/\u{301}/u:p@h/", "https:/\u{301}/u:p@h/"),
            ("\u{301}https://u:p@h/", "\u{301}https://<redacted>@h/"),
            ("https://u:p\u{308}@h/", "https://<redacted>@h/"),
            ("https://u:p\u{1F468}\u{200D}\u{1F469}@h/", "https://<redacted>@h/"),
            ("http://h/?\u{301}a=1&\u{301}b=\u{301}2", "http://h/?\u{301}a=…&\u{301}b=…"),
            ("http://h/?a=1#\u{301}b=2", "http://h/?a=…"),
            ("\"http://h/?a=1\"\u{301}, \"b\"", "\"http://h/?a=…\"\u{301}, \"b\""),
            ("Cookie:\u{301}sid=abc", "Cookie:<redacted>"),
            ("\u{301}Bearer abc.def", "\u{301}Bearer <redacted>"),
            ("Cookie: sid=abc\n\u{301}Accept: a/b", "Cookie: <redacted>\n\u{301}Accept: a/b"),
            ("Authorization: \"\u{301}a b\"", "Authorization: \"<redacted>\""),
            (
                "größer als https://ü:ß@ö.example/?ä=ß, Straße",
                "größer als https://<redacted>@ö.example/?ä=…, Straße"
            ),
        ])
    func marks(given: String, expected: String) { expect(given, shows: expected) }

    @Test(
        "a text without a secret comes back unchanged",
        arguments: [
            "", " ", "://", "http://", "a://b", "https://h.example/a/b.html", "http://h/;a=1", "Bearer",
            "Bearer ",
            "Basic:", "Cookie", "Cookie:", "Cookie: ", "Authorization", "Authorization:",
            "Authorization: \nAccept: a/b",
            "a bearer of news", "basic authentication", "the cookie jar", "the authorization failed",
            "xCookie: a",
            "MyAuthorization: abc", "unauthorization=abc", "https//u:p@h/", "C:\\a\\b", "a\r\n\r\nb",
            "\u{0}\u{1}",
            "e\u{301} \u{E9} \u{212B}", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "password",
            "50 % of 3 < 4 & 5 > 2",
        ])
    func unchanged(text: String) { expect(text, shows: text) }

    @Test("text around secrets is kept, and no secret stays, in any order of both")
    func mixtures() {
        let pieces: [(given: (String) -> String, shown: String)] = [
            ({ "https://joe:\($0)@h/" }, "https://<redacted>@h/"),
            ({ "http://h/?a=\($0)&b=\($0)" }, "http://h/?a=…&b=…"), ({ "Bearer \($0)" }, "Bearer <redacted>"),
            ({ "\nCookie: \($0)\n" }, "\nCookie: <redacted>\n"),
            ({ "\"Authorization: Basic \($0)\"" }, "\"Authorization: <redacted>\""),
            ({ _ in "größer" }, "größer"), ({ _ in "e\u{301}" }, "e\u{301}"),
            ({ _ in "a/b?c=d&e#f@g" }, "a/b?c=d&e#f@g"),
            ({ _ in "\n" }, "\n"), ({ _ in "<redacted>" }, "<redacted>"),
        ]
        var random = StableRandom(seed: Chance.seed)
        for round in 0..<Chance.rounds(300) {
            let secret = "s3cr\u{E9}t\(round)"
            let chosen = (0..<Int.random(in: 1...12, using: &random)).map { _ in
                pieces[Int.random(in: pieces.indices, using: &random)]
            }
            let given = chosen.map { $0.given(secret) }.joined(separator: " ")
            let expected = chosen.map(\.shown).joined(separator: " ")
            let found = shown(given)
            #expect(ExactText(found) == ExactText(expected), "seed \(Chance.seed), round \(round): \(given)")
        }
    }

    /// Each text has a part that a search with a step back would read again for each of its bytes.
    @Test(
        "a long text takes time linear in its length",
        arguments: [
            "https://u:p@h?a=b ", "://", "https://", "cookie ", "cookie:,", "authorization=\"\" ", "bearer ",
            "Authorization: <redacted> ", "\u{301}://\u{301}", ":::::",
        ])
    func long(piece: String) {
        // A quadratic search takes more than 10^9 steps for it, which the time limit of the suite ends.
        let length = Chance.isSoak ? 400_000 : 40_000
        let text = String(repeating: piece, count: length / piece.utf8.count)
        let word = String(repeating: "a", count: length / 4)
        #expect(!shown(text + word + "://u:p@h " + word).contains("u:p"))
    }
}

/// Secrets in URLs, headers and errors that are known as such: `Redaction` (MG-79).
@Suite("Redaction of URLs and headers", .timeLimit(.minutes(5)))
struct RedactionTests {
    private let redaction = Redaction(adding: ["Pin"])

    @Test(
        "user, password, fragment and query items with the name of a secret are hidden, others aren't",
        arguments: [
            ("https://h/?q=1&access_token=2", "https://h/?q=1&access_token=<redacted>"),
            ("https://h/?ACCESS%5FTOKEN=2", "https://h/?ACCESS%5FTOKEN=<redacted>"),
            ("https://h/?%74oken=2&a=1", "https://h/?%74oken=<redacted>&a=1"),
            ("https://h/?token=1&token=2&b", "https://h/?token=<redacted>&token=<redacted>&b"),
            (
                "https://h/?client_secret=1&x-amz-signature=2",
                "https://h/?client_secret=<redacted>&x-amz-signature=<redacted>"
            ),
            (
                "https://h/?apikey=1&api-key=2&api_key=3",
                "https://h/?apikey=<redacted>&api-key=<redacted>&api_key=<redacted>"
            ),
            (
                "https://h/?sessionid=1&newPassword=2",
                "https://h/?sessionid=<redacted>&newPassword=<redacted>"
            ),
            ("https://h/?myPIN=1&page=2", "https://h/?myPIN=<redacted>&page=2"),
            ("https://h/?a=token&b=secret", "https://h/?a=token&b=secret"),
            ("https://h/?token=a=b&c=d", "https://h/?token=<redacted>&c=d"), ("https://h/?", "https://h/?"),
            // Users, passwords and fragments.
            ("https://joe:pass@h/a#b", "https://<redacted>@h/a"), ("https://joe@h/", "https://<redacted>@h/"),
            ("https://joe:p%40ss@h:80/", "https://<redacted>@h:80/"), ("https://h/a#token=1", "https://h/a"),
            ("ftp://joe:pass@h/a", "ftp://<redacted>@h/a"), ("data:text/plain,secret", "data:…"),
            ("DATA:,secret", "data:…"),
            ("file:///a/b", "file:///a/b"),
        ])
    func items(given: String, expected: String) throws {
        #expect(redaction.text(try #require(URL(string: given))) == expected)
    }

    @Test("a relative URL is shown with its base, and without the base's secrets")
    func relative() throws {
        let base = try #require(URL(string: "https://joe:pass@h/a/b?token=1"))
        let url = try #require(URL(string: "../c?token=2&d=3", relativeTo: base))
        #expect(redaction.text(url) == "https://<redacted>@h/c?token=<redacted>&d=3")
    }

    @Test("a long URL is cut behind 300 characters")
    func long() throws {
        let url = try #require(URL(string: "https://joe:pass@h/" + String(repeating: "a", count: 1_000)))
        let text = redaction.text(url)
        #expect(text.count == 300 && text.hasSuffix("a…") && text.hasPrefix("https://<redacted>@h/a"))
    }

    @Test("headers are sorted, and those with a secret are hidden in any case of letters")
    func headers() {
        let text = redaction.text([
            "Accept": "a/b", "AUTHORIZATION": "Bearer a", "Proxy-Authorization": "b", "Cookie": "c",
            "Set-Cookie": "d",
            "X-Api-Key": "e", "X-CSRF-Token": "f", "X-Pin-Code": "g", "Content-Length": "0", "X-Session": "",
        ])
        #expect(
            text == "AUTHORIZATION: <redacted>, Accept: a/b, Content-Length: 0, Cookie: <redacted>, "
                + "Proxy-Authorization: <redacted>, Set-Cookie: <redacted>, X-Api-Key: <redacted>, "
                + "X-CSRF-Token: <redacted>, X-Pin-Code: <redacted>, X-Session: <redacted>")
        #expect(redaction.text([:]) == "")
    }

    @Test("URLs in an error of Foundation's, and in the one beneath it, lose their secrets")
    func errors() throws {
        let url = try #require(URL(string: "https://joe:pass@h/?token=1&a=2"))
        let inner = URLError(.timedOut, userInfo: [NSURLErrorFailingURLErrorKey: url])
        let error = redaction.redacted(
            URLError(
                .badServerResponse,
                userInfo: [
                    NSURLErrorFailingURLErrorKey: url, "text": url.absoluteString, "note": "kept",
                    "number": 7,
                    NSUnderlyingErrorKey: inner,
                ]))
        let shown = "https://<redacted>@h/?token=<redacted>&a=2"
        #expect(error.code == .badServerResponse && error.userInfo["note"] as? String == "kept")
        #expect(error.userInfo["number"] as? Int == 7 && error.userInfo["text"] as? String == shown)
        #expect(error.userInfo[NSURLErrorFailingURLErrorKey] as? String == shown)
        let beneath = try #require(error.userInfo[NSUnderlyingErrorKey] as? URLError)
        #expect(
            beneath.code == .timedOut && beneath.userInfo[NSURLErrorFailingURLErrorKey] as? String == shown)
    }
}
