import Foundation
import SteplineJSON
import Testing

@Suite(.timeLimit(.minutes(5))) struct ParsingTests {
    private func failure(_ text: String, _ options: JSON.Options = .init()) -> JSONError? {
        do {
            _ = try JSON(parsing: text, options: options)
            return nil
        } catch {
            return error
        }
    }

    @Test func `PL-91 an error names code, offset, line and column`() throws {
        let error = try #require(failure("{\n  \"é\": 1,\n  \"é\" x\n}"))
        #expect(error.code == .unexpectedCharacter && error.byteOffset == 20)
        #expect(error.description.contains("line 3, column 7"))
    }

    @Test(arguments: [
        ("", JSONError.Code.empty), (" \n", .empty), ("[1", .unexpectedEnd), ("\"a", .unexpectedEnd),
        ("[1] 2", .trailingText), ("[1.]", .invalidNumber), ("[\"\\q\"]", .invalidEscape),
        ("[\"\\ud800\"]", .loneSurrogate), ("[\"\u{1}\"]", .controlCharacter),
        ("[nul]", .unexpectedCharacter),
    ])
    func `PL-91 each problem has its code`(_ text: String, _ code: JSONError.Code) {
        #expect(failure(text)?.code == code)
    }

    @Test func `PL-92 100,000 open brackets are too deep`() {
        #expect(failure(String(repeating: "[", count: 100_000))?.code == .tooDeep)
        #expect(failure(String(repeating: "{\"a\":", count: 100_000))?.code == .tooDeep)
    }

    @Test func `PL-92 the depth is an option`() throws {
        #expect(failure("[[1]]", .init(maximumDepth: 1))?.code == .tooDeep)
        #expect(failure("[1]", .init(maximumDepth: 1)) == nil)
        #expect(failure("1", .init(maximumDepth: 0)) == nil)
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        let json = try JSON(parsing: deep, options: .init(maximumDepth: 200_000))
        #expect(json.description == deep)
        #expect(try JSON(parsing: deep, options: .init(maximumDepth: 200_000)) == json)
        #expect(json.foundationObject == nil)
        #expect(throws: DecodingError.self) { try json.decode(Nest.self) }
    }

    /// A type as deep as its document.
    private struct Nest: Decodable {
        let inner: [Nest]
        init(from decoder: any Decoder) throws {
            inner = try decoder.singleValueContainer().decode([Nest].self)
        }
    }

    @Test func `PL-92 the size is an option`() {
        #expect(failure("[1,2]", .init(maximumSize: 4))?.code == .tooLarge)
        #expect(failure("[1,2]", .init(maximumSize: 5)) == nil)
    }

    @Test func `PL-92 of duplicate keys the last wins, or they are an error`() throws {
        let text = #"{"a":1,"b":[{"c":0}],"\u0061":2,"c":{"x":1,"x":[2]}}"#
        let json = try JSON(parsing: text)
        #expect(json.keys == ["b", "a", "c"])
        #expect(json.count == 3)
        #expect(json["a"] == 2)
        #expect(json["c"] == ["x": [2]])
        #expect(json.description == #"{"b":[{"c":0}],"\u0061":2,"c":{"x":[2]}}"#)
        let error = try #require(failure(text, .init(allowsDuplicateKeys: false)))
        #expect(error.code == .duplicateKey)
    }

    @Test(arguments: [3, 40, 64, 65, 500])
    func `PL-92 duplicates are found among any number of keys`(_ count: Int) throws {
        let members = (0..<count).map { "\"a long common prefix \($0) and suffix\":\($0)" }
        let text = "{" + (members + [members[1] + "0"]).joined(separator: ",") + "}"
        let json = try JSON(parsing: text)
        #expect(json.count == count)
        #expect(json["a long common prefix 1 and suffix"] == 10)
        #expect(json.keys.last == "a long common prefix 1 and suffix")
        #expect(failure(text, .init(allowsDuplicateKeys: false))?.code == .duplicateKey)
        #expect(failure("{" + members.joined(separator: ",") + "}", .init(allowsDuplicateKeys: false)) == nil)
    }

    @Test func `a fragment is refused if the options say so`() {
        #expect(failure(" 1", .init(allowsFragments: false))?.code == .fragment)
        #expect(failure("\"a\"", .init(allowsFragments: false))?.byteOffset == 0)
        #expect(failure("[]", .init(allowsFragments: false)) == nil)
    }

    @Test(arguments: [
        String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian, .utf8,
    ])
    func `PL-92 all encodings are read, with places in their bytes`(_ encoding: String.Encoding) throws {
        let text = "[\"é😀\", 1]"
        let data = try #require(text.data(using: encoding))
        #expect(try JSON(parsing: data) == ["é😀", 1])
        let bad = try #require("[\"é😀\", x]".data(using: encoding))
        let before = try #require("[\"é😀\", ".data(using: encoding))
        let error = #expect(throws: JSONError.self) { try JSON(parsing: bad) }
        #expect(error?.byteOffset == before.count)
        #expect(error?.column == 8)
    }

    @Test func `slices of data are read where they are`() throws {
        let data = Data("xx[1,2]yy".utf8)
        #expect(try JSON(parsing: data[2..<7]) == [1, 2])
    }
}

@Suite(.timeLimit(.minutes(5))) struct TextIsTextTests {
    @Test(arguments: ["[\0]\0", "\0[\0]", "\"\0a\0\"\0", "1\0", "[\0\0\0]\0\0\0", "\0\0\0[\0\0\0]"])
    func `a string is never taken for UTF-16 or UTF-32`(_ text: String) {
        let error = #expect(throws: JSONError.self) { try JSON(parsing: text) }
        #expect(
            error?.code == .unexpectedCharacter || error?.code == .controlCharacter
                || error?.code == .trailingText)
        #expect(error?.byteOffset == text.utf8.firstIndex(of: 0)?.utf16Offset(in: text))
    }

    @Test func `a byte order mark before a string's text is passed over, once`() throws {
        #expect(try JSON(parsing: "\u{FEFF}[1]") == [1])
        let error = #expect(throws: JSONError.self) { try JSON(parsing: "\u{FEFF}\u{FEFF}[1]") }
        #expect(error?.code == .unexpectedCharacter && error?.byteOffset == 3)
    }
}
