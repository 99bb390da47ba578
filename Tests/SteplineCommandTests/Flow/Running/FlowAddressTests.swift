import SteplineJSON
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("Workflow files: values in URLs", .timeLimit(.minutes(5)))
struct FlowAddressTests {
    private func fill(_ text: String, with value: String, isForeign: Bool = false) throws -> String {
        let evaluator = ExpressionEvaluator { _ in .init(value) }
        return try FlowTemplate(FlowText(text, start: 0)).filled(by: evaluator) { value, before, _ in
            try FlowAddress.fill(value, after: before, isForeign: isForeign)
        }
    }

    @Test(
        "values after the host are percent-encoded, and values at the beginning taken unchanged",
        arguments: [
            ("http://h/${x}", "São Paulo", "http://h/S%C3%A3o%20Paulo"),
            ("http://h/?q=${x}", "a&b=c#d", "http://h/?q=a%26b%3Dc%23d"),
            ("http://h/${x}/f", "../..", "http://h/..%2F../f"),
            ("${x}/f", "http://h:80/p?q", "http://h:80/p?q/f"),
            ("http://${x}/f", "h.example:8080", "http://h.example:8080/f"),
            ("data:,${x}", "a b", "data:,a%20b"),
            ("http://a.${x}/", "example", "http://a.example/"), ("dir/${x}.json", "a b", "dir/a b.json"),
            ("${x}.json", "dir/a", "dir/a.json"), ("http://h/?q=${x}", "..", "http://h/?q=.."),
            ("http://h/${x}", ".a", "http://h/.a"), ("http://h/f#${x}", ".", "http://h/f#."),
        ])
    func filled(text: String, value: String, expected: String) throws {
        #expect(try fill(text, with: value) == expected)
    }

    @Test(
        "values that would change the host, or leave the folder, are refused",
        arguments: [
            ("http://${x}/f", "evil.example/path"), ("http://${x}/", "user@h"), ("http://${x}", "h?q"),
            ("dir/${x}", "../x"),
            ("dir/${x}", ".."), ("dir/${x}", "a/b"), ("dir/${x}", "../\u{301}x"), ("x${x}", "a\0"),
            ("http://h/a/${x}/b", ".."), ("http://h/a/${x}/b", "."), ("http://h/a/.${x}/b", "."),
            ("http://h/a/${x}", ".."),
        ])
    func refused(text: String, value: String) {
        #expect(throws: ExpressionError.self) { try fill(text, with: value) }
    }

    @Test("a foreign value at the beginning must be a URL")
    func foreign() throws {
        #expect(try fill("${x}?a", with: "https://h/p", isForeign: true) == "https://h/p?a")
        #expect(try fill("in/${x}", with: "key.txt", isForeign: true) == "in/key.txt")
        for value in ["key.txt", "/etc/passwd", "../key", "", "file:///etc/passwd", "http"] {
            #expect(throws: ExpressionError.self, "\(value)") {
                try fill("${x}", with: value, isForeign: true)
            }
        }
    }
}
