import Foundation
import SteplineJSON
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ElementsTests {
    private static func read(_ text: String, at pointer: String, pieces: Int) throws -> [JSON] {
        let reader = try JSON.ElementReader(at: pointer)
        let data = Data(text.utf8)
        var elements: [JSON] = []
        for place in stride(from: 0, to: data.count, by: pieces) {
            try reader.read(data.dropFirst(place).prefix(pieces)) { elements.append($0) }
        }
        try reader.finish { elements.append($0) }
        return elements
    }

    static let document = """
        {"skip":[{"data":{"items":[0]}}, "a\\"]}", -1.5e3, true],"data": {"n":null,
          "items" : [1, "two]", {"three":[3,{"x":"}"}]} ,[4],[],{}, null,false , 5.25 ]
        ,"more":{"items":[9]}}, "end":"\\u00e9"} \n
        """

    @Test(arguments: [1, 2, 3, 7, 16, 1000])
    func `elements are the same however the bytes are cut`(_ pieces: Int) throws {
        let expected: [JSON] = [1, "two]", ["three": [3, ["x": "}"]]], [4], [], [:], nil, false, 5.25]
        #expect(try Self.read(Self.document, at: "/data/items", pieces: pieces) == expected)
        let others: [(text: String, pointer: String, elements: [JSON])] = [
            (Self.document, "/skip/0/data/items", [0]), (Self.document, "/data/more/items", [9]),
            ("[1,[2],3]", "", [1, [2], 3]), ("\u{FEFF} [1]", "", [1]), ("[[1],[2,3]]", "/1", [2, 3]),
            (#"{"a/b":{"\u00e9~":[7]}}"#, "/a~1b/é~0", [7]), (#"{"a":[]}"#, "/a", []),
        ]
        for (text, pointer, elements) in others {
            #expect(try Self.read(text, at: pointer, pieces: pieces) == elements, "\(text)")
        }
    }

    @Test(arguments: [
        ("[1,2", "", "unexpectedEnd"), ("[1,]", "", "unexpectedCharacter"),
        ("[1 2]", "", "unexpectedCharacter"),
        ("[1]x", "", "trailingText"), ("", "", "empty"), ("{}", "/a", "notFound"),
        ("{\"a\":1}", "/a", "wrongKind"),
        ("{\"a\":{}}", "/a", "wrongKind"), ("{\"a\":[1],\"a\":[2]}", "/a", "duplicateKey"),
        ("[01]", "", "trailingText"),
        ("{\"a\":[1],\"b\":[1,}", "/a", "unexpectedCharacter"),
        ("{\"a\":[1],\"b\":\"\\x\"}", "/a", "invalidEscape"),
        ("{a:[1]}", "/a", "unexpectedCharacter"), ("{\"a\" [1]}", "/a", "unexpectedCharacter"),
        ("]", "", "wrongKind"),
        ("[1}", "", "unexpectedCharacter"), ("[{\"a\":[}]", "", "unexpectedCharacter"),
        ("[\"\u{1}\"]", "", "controlCharacter"),
        ("{\"a\":[tru]}", "/a", "unexpectedCharacter"), ("{\"b\":nul,\"a\":[]}", "/a", "unexpectedCharacter"),
        ("[1\"a\"]", "", "unexpectedCharacter"), ("{1:2}", "/a", "unexpectedCharacter"),
        ("{\"a\":[1]", "/a", "unexpectedEnd"),
    ])
    func `all of the document is checked`(_ text: String, _ pointer: String, _ code: String) {
        for pieces in [1, 3, 1000] {
            let error = #expect(throws: JSONError.self) { try Self.read(text, at: pointer, pieces: pieces) }
            #expect(error?.code.description == code, "\(text) in pieces of \(pieces)")
        }
    }

    @Test(arguments: [1, 5, 1000]) func `errors have their place in the whole`(_ pieces: Int) {
        let text = "{\"a\":[\r\n  1,\r  {\"é\":\n   tru},\n2]}"
        let error = #expect(throws: JSONError.self) { try Self.read(text, at: "/a", pieces: pieces) }
        #expect(error?.line == 4 && error?.column == 4)
        #expect(error?.byteOffset == 25)
        let outer = #expect(throws: JSONError.self) { try Self.read("[1,\n22\n é]", at: "", pieces: pieces) }
        #expect(outer?.line == 3 && outer?.column == 2 && outer?.byteOffset == 8)
    }

    @Test func `a malformed pointer is an error at once, and an error is thrown again`() throws {
        #expect(throws: JSONError.self) { try JSON.ElementReader(at: "data") }
        let reader = try JSON.ElementReader(at: "")
        #expect(throws: JSONError.self) { try reader.read(Data("[1,x]".utf8)) { _ in } }
        #expect(throws: JSONError.self) { try reader.read(Data(",2]".utf8)) { _ in } }
    }

    @Test func `limits hold`() throws {
        let deep = try JSON.ElementReader(at: "/x", options: .init(maximumDepth: 3))
        #expect(throws: JSONError.self) { try deep.read(Data("[[[[".utf8)) { _ in } }
        let long = try JSON.ElementReader(at: "", options: .init(maximumSize: 10))
        let error = #expect(throws: JSONError.self) { try long.read(Data("[\"0123456789012".utf8)) { _ in } }
        #expect(error?.code == .tooLarge)
    }

    @Test func `the elements of a file are read in chunks, and a missing file is unreadable`() async throws {
        let count = Chance.isSoak ? 20_000 : 4_000
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("elements-\(UUID()).json")
        defer { try? FileManager.default.removeItem(at: file) }
        var text = Data(#"{"meta":{"n":1},"data":{"items":["#.utf8)
        for number in 0..<count {
            text.append(
                contentsOf: "\(number == 0 ? "" : ",")\n{\"id\":\(number),\"tags\":[\"a\",\"b\"]}".utf8)
        }
        text.append(contentsOf: "]}}".utf8)
        try text.write(to: file)
        var sum = 0
        for try await item in JSON.Stream(of: .elements(at: "/data/items"), in: file) {
            sum += item.id?.int ?? 0
        }
        #expect(sum == count * (count - 1) / 2)
        let missing = await #expect(throws: JSONError.self) {
            for try await _ in JSON.Stream(of: .elements(at: ""), in: file.appendingPathExtension("not")) {}
        }
        #expect(missing?.code == .unreadable)
    }
}
