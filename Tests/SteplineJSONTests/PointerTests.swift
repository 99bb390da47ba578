import SteplineJSON
import Testing

@Suite(.timeLimit(.minutes(5))) struct PointerTests {
    static let document =
        #"{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}"#

    @Test(arguments: [
        ("", nil), ("/foo", #"["bar","baz"]"#), ("/foo/0", #""bar""#), ("/", "0"), ("/a~1b", "1"),
        ("/c%d", "2"), ("/e^f", "3"), ("/g|h", "4"),
        ("/i\\j", "5"), ("/k\"l", "6"), ("/ ", "7"), ("/m~0n", "8"),
    ])
    func `the examples of RFC 6901`(_ pointer: String, _ expected: String?) throws {
        let json = try JSON(parsing: Self.document)
        #expect(try json[JSONPointer(pointer)]?.description == expected ?? json.description)
        #expect(try JSONPointer(pointer).description == pointer)
        #expect(try json.value(at: pointer) == json[JSONPointer(pointer)])
    }

    @Test func `a mark after a tilde or a slash changes neither`() throws {
        let key = "a~\u{301}b/\u{301}c"
        let json: JSON = [key: 7]
        let pointer = JSONPointer(tokens: [key])
        #expect(pointer.description == "/a~0\u{301}b~1\u{301}c" && json[pointer] == 7)
        #expect(try JSONPointer(pointer.description).tokens == [key])
        #expect(try JSONPointer("/\u{301}/\u{301}").tokens == ["\u{301}", "\u{301}"])
    }

    @Test(arguments: ["/foo/2", "/foo/01", "/foo/-", "/foo/-1", "/foo/0/x", "/nope"])
    func `a missing member is not found`(_ pointer: String) throws {
        let json = try JSON(parsing: Self.document)
        #expect(try json[JSONPointer(pointer)] == nil)
        let error = #expect(throws: JSONError.self) { try json.value(at: pointer) }
        #expect(error?.code == .notFound)
    }

    @Test(arguments: ["foo", "/~", "/~2", "#/foo"])
    func `malformed pointers are errors`(_ pointer: String) {
        let error = #expect(throws: JSONError.self) { try JSONPointer(pointer) }
        #expect(error?.code == .invalidPath)
    }
}
