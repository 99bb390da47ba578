import Foundation
import SteplineXML
import Testing

/// Habits from other decoders.
@Suite(.timeLimit(.minutes(5))) struct HabitTests {
    private func decode<T: Decodable>(
        _ type: T.Type, _ source: String, _ change: (inout XML.Decoder) -> Void = { _ in }
    ) throws -> T {
        var decoder = XML.Decoder()
        change(&decoder)
        return try decoder.decode(type, from: Data(source.utf8))
    }

    @Test func `texts and enums are trimmed, unless they shall stay as written`() throws {
        enum Kind: String, Decodable { case book }
        struct Row: Decodable { let kind: Kind; let title: String; let note: String? }
        let source = "<r kind=' book '>\n<title>\n  A  b\n</title><note> </note></r>"
        let row = try decode(Row.self, source)
        #expect(row.kind == .book && row.title == "A  b" && row.note?.isEmpty == true)
        struct Plain: Decodable { let title: String }
        #expect(try decode(Plain.self, source) { $0.trimsTexts = false }.title == "\n  A  b\n")
        #expect(throws: DecodingError.self) { try decode(Row.self, source) { $0.trimsTexts = false } }
    }

    @Test(arguments: [
        ("imageURL", "image_url"), ("URLString", "url_string"), ("id", "id"), ("firstName", "first_name"),
        ("anHTMLPage", "an_html_page"), ("page2Title", "page2_title"), ("_hidden", "_hidden"), ("aB", "a_b"),
    ])
    func `abbreviations are one word in snake case`(key: String, name: String) throws {
        struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init?(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { return nil }
        }
        struct Row: Decodable {
            let value: String
            init(from decoder: any Decoder) throws {
                let name = decoder.userInfo[HabitTests.key] as? String ?? ""
                let key = try #require(Key(stringValue: name))
                value = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: key)
            }
        }
        let found = try decode(Row.self, "<r><\(name)>v</\(name)></r>") {
            $0.keyStrategy = .snakeCase
            $0.userInfo = [HabitTests.key: key]
        }
        #expect(found.value == "v")
        let kebab = name.replacing("_", with: "-")
        guard !kebab.hasPrefix("-") else { return }
        let other = try decode(Row.self, "<r><\(kebab)>v</\(kebab)></r>") {
            $0.keyStrategy = .kebabCase
            $0.userInfo = [HabitTests.key: key]
        }
        #expect(other.value == "v")
    }

    private static let key = CodingUserInfoKey(rawValue: "key").unsafelyUnwrapped

    @Test(arguments: [
        ("2024-02-29Z", 1_709_164_800.0), ("2024-02-29+01:00", 1_709_161_200),
        ("2024-02-29-05:00", 1_709_182_800),
        ("2024-02Z", 1_706_745_600), ("2024-02-29T12:30:15+01:00", 1_709_206_215),
    ])
    func `days have zones in XML Schema`(text: String, seconds: Double) throws {
        struct Row: Decodable { let d: Date }
        for strategy in [XML.Decoder.DateStrategy.automatic, .iso8601] {
            let row = try decode(Row.self, "<r d='\(text)'/>") { $0.dateStrategy = strategy }
            #expect(row.d.timeIntervalSince1970 == seconds)
        }
    }

    @Test(arguments: [
        ("https://a.example/b c", "https://a.example/b%20c"),
        ("https://a.example/ü", "https://a.example/%C3%BC"),
        ("https://a.example/?q=[x]|y", "https://a.example/?q=%5Bx%5D%7Cy"),
        (" https://a.example/%20 ", "https://a.example/%20"),
        ("https://a.example/100%", "https://a.example/100%25"),
        ("a/b.png", "a/b.png"), ("http://[::1]/[", "http://[::1]/%5B"),
    ])
    func `addresses that need encoding are encoded`(text: String, address: String) throws {
        struct Row: Decodable { let u: URL }
        let row = try decode(Row.self, "<r u='\(text)'/>")
        #expect(row.u.absoluteString == address)
    }

    @Test func `UTF-7 is refused, and EBCDIC by its name`() throws {
        var options = XML.Options()
        options.charset = "UTF-7"
        for name in ["UTF-7", "utf7", "UNICODE-1-1-UTF-7", "csUnicode11UTF7", "utf-7-imap"] {
            options.charset = name
            let error = #expect(throws: XMLError.self) {
                try XML.Document(bytes: Array("<a>+ADw-</a>".utf8), options: options)
            }
            #expect(error?.code == .encoding && error?.message.contains(name.uppercased()) == true)
        }
        let declared = #expect(throws: XMLError.self) {
            try XML.Document(string: "", options: options)
        }
        #expect(declared != nil)
        let ebcdic: [UInt8] = [0x4C, 0x6F, 0xA7, 0x94, 0x93, 0x40]
        let error = #expect(throws: XMLError.self) { try XML.Document(bytes: ebcdic) }
        #expect(error?.code == .encoding && error?.message.contains("EBCDIC") == true)
    }
}
