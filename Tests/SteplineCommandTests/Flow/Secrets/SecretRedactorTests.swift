import Foundation
import SteplineJSON
import SteplineSupport
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("Secrets in texts", .timeLimit(.minutes(5)))
struct SecretRedactorTests {
    private static func html(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
    }

    /// The ways in which a secret comes to be in a text.
    private static let forms: [(name: String, make: @Sendable (String) -> String)] = [
        ("as it is", { $0 }),
        ("percent", { $0.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? "" }),
        (
            "percent, all of it",
            { $0.utf8.map { "%" + String(Int($0) | 0x100, radix: 16).suffix(2) }.joined() }
        ),
        (
            "form",
            { text in
                let encoded = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                return encoded.replacing("%20", with: "+")
            }
        ),
        ("JSON", { JSON($0).description.dropFirst().dropLast().description }),
        (
            "JSON, all of it",
            { $0.utf16.map { "\\u" + String(0x10000 + Int($0), radix: 16).suffix(4) }.joined() }
        ),
        ("HTML", { html($0) }),
        ("JSON in HTML", { html(JSON($0).description.dropFirst().dropLast().description) }),
        ("base64", { Data($0.utf8).base64EncodedString() }),
        ("base64 behind a name", { Data("me:\($0)".utf8).base64EncodedString() }),
        ("base64 in the middle", { Data("user:\($0)&x".utf8).base64EncodedString() }),
        (
            "base64 in a URL",
            {
                Data("a\($0)".utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
                    .replacing("=", with: "")
            }
        ),
        ("cut off", { String(String.UnicodeScalarView($0.unicodeScalars.prefix(7))) + "…" }),
    ]

    @Test("whatever its form, nothing of a secret is left", arguments: Self.forms.map(\.name))
    func hides(name: String) throws {
        let form = try #require(Self.forms.first { $0.name == name })
        let seed = Chance.seed
        var chance = StableRandom(seed: seed)
        let letters = Array("abcXYZ019 /+%&=\"'\\<>?#:-._~\n\t\u{E9}\u{20AC}\u{1F600}")
        for _ in 0..<Chance.rounds(100) {
            let secret = String(
                (0..<Int.random(in: 8...40, using: &chance)).map { _ in
                    letters.randomElement(using: &chance) ?? "a"
                })
            let written = form.make(secret)
            let redactor = SecretRedactor(["token": secret, "other": "0123456789abcdef"])
            let text = "before " + written + " behind"
            let hidden = try #require(redactor.redacted(text), "\(secret) as \(written), seed \(seed)")
            #expect(hidden.contains("[secret token]"), "\(hidden), seed \(seed)")
            #expect(hidden.hasPrefix("before ") && hidden.hasSuffix(" behind"), "\(hidden), seed \(seed)")
            // Of base64 what stands around the secret stays; nothing else may.
            let rest = hidden.dropFirst(7).dropLast(7).replacing("[secret token]", with: "")
            #expect(rest.count <= 12, "\(secret) as \(written) leaves \(rest), seed \(seed)")
            #expect(redactor.firstSecret(in: Array(text.utf8)) == "token")
        }
    }

    @Test("text without a secret comes back as nil, and all that isn't secret stays as it is")
    func others() {
        let redactor = SecretRedactor(["a": "s3cret", "b": "s3cret-and-more"])
        let texts: [(String, String?)] = [
            ("nothing of the kind: %41 \\u0041 &amp; s3cre", nil),
            ("x=s3cret&y=s3cret-and-more.", "x=[secret a]&y=[secret b]."),
            ("s3cr%65t/%73%33cret", "[secret a]/[secret a]"),
        ]
        for (text, hidden) in texts { #expect(redactor.redacted(text) == hidden) }
        #expect(SecretRedactor().redacted("s3cret") == nil && SecretRedactor().isEmpty)
        #expect(SecretRedactor(["empty": ""]).isEmpty)
    }

    @Test("of a secret of several lines each longer one is hidden, also where they became one line")
    func lines() {
        let redactor = SecretRedactor(["key": "-----BEGIN-----\nMIIEowIBAAKCAQEA\nend"])
        for text in ["x MIIEowIBAAKCAQEA y", "x -----BEGIN----- MIIEowIBAAKCAQEA end y"] {
            #expect(redactor.redacted(text) == "x [secret key] y", "\(text)")
        }
    }

    @Test("the time to redact a text grows linearly with its length", .soakOnly)
    func speed() {
        let redactor = SecretRedactor(["a": String(repeating: "ab", count: 20) + "c"])
        let growth = growth(from: 1 << 15) { count in
            #expect(redactor.redacted([UInt8](repeating: UInt8(ascii: "%"), count: count)) == nil)
        }
        #expect(growth < 30)
    }
}
