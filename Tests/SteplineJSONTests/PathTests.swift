import SteplineJSON
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct PathTests {
    static let store = #"""
        { "store": {
            "book": [
              { "category": "reference", "author": "Nigel Rees", "title": "Sayings of the Century", "price": 8.95 },
              { "category": "fiction", "author": "Evelyn Waugh", "title": "Sword of Honour", "price": 12.99 },
              { "category": "fiction", "author": "Herman Melville", "title": "Moby Dick", "isbn": "0-553-21311-3", "price": 8.99 },
              { "category": "fiction", "author": "J. R. R. Tolkien", "title": "The Lord of the Rings", "isbn": "0-395-19395-8",
                "price": 22.99 }
            ],
            "bicycle": { "color": "red", "price": 399 } } }
        """#

    private func values(_ query: String, _ text: String) throws -> String {
        try "[" + JSON(parsing: text).query(query).map(\.description).joined(separator: ",") + "]"
    }

    @Test(arguments: [
        ("$.store.book[*].author", 4), ("$..author", 4), ("$.store.*", 2), ("$.store..price", 5),
        ("$..book[2]", 1),
        ("$..book[2].publisher", 0), ("$..book[-1]", 1), ("$..book[0,1]", 2), ("$..book[:2]", 2),
        ("$..book[?@.isbn]", 2),
        ("$..book[?@.price<10]", 2), ("$..*", 27),
    ])
    func `the store's queries find as many as RFC 9535 says`(_ query: String, _ count: Int) throws {
        #expect(try JSON(parsing: Self.store).query(query).count == count)
    }

    @Test func `the question of the read me`() throws {
        let titles = try JSON(parsing: Self.store).query("$.store.book[?@.price < 10].title")
        #expect(titles == ["Sayings of the Century", "Moby Dick"])
    }

    @Test func `the root and keys with escapes are found, also by a pointer`() throws {
        #expect(try values("$", "[1]") == "[[1]]")
        let text = #"{"a'\\\n\u000b":[{"/~":1}]}"#
        #expect(try values(#"$['a\'\\\n\u000b'][0]['/~']"#, text) == "[1]")
        let pointer = try JSONPointer("/a'\\\n\u{b}/0/~1~0")
        #expect(try JSON(parsing: text)[pointer] == 1)
    }

    @Test(arguments: [
        ("$[1:3]", "[1,2]"), ("$[5:]", "[5,6]"), ("$[1:5:2]", "[1,3]"), ("$[5:1:-2]", "[5,3]"),
        ("$[::-1]", "[6,5,4,3,2,1,0]"),
        ("$[-2:]", "[5,6]"), ("$[:-5]", "[0,1]"), ("$[::0]", "[]"), ("$[9:]", "[]"), ("$[-99:2]", "[0,1]"),
        ("$[ 1 : 2 ]", "[1]"),
        ("$[3:1]", "[]"), ("$[6:-8:-3]", "[6,3,0]"), ("$[0, 0, -1]", "[0,0,6]"),
        ("$[9007199254740991]", "[]"),
        ("$[?@ > 4 || @ == 0]", "[0,5,6]"), ("$[?@ >= 2 && !(@ == 3) && @ <= 4]", "[2,4]"),
        ("$[?@ != 3 && @ < 4.5e0]", "[0,1,2,4]"),
    ])
    func `slices, lists and comparisons of numbers`(_ query: String, _ expected: String) throws {
        #expect(try values(query, "[0,1,2,3,4,5,6]") == expected)
    }

    static let filters = #"""
        {"obj": {"x": "y"}, "arr": [2, 3], "a": [3, 5, 1, 2, 4, 6, {"b": "j"}, {"b": "k"}, {"b": {}}, {"b": "kilo"}],
         "o": {"p": 1, "q": 2, "r": 3, "s": 5, "t": {"u": 6}}, "e": "f"}
        """#

    @Test(arguments: [
        ("$.a[?@.b == 'kilo']", #"[{"b":"kilo"}]"#), ("$.a[?(@.b == 'kilo')]", #"[{"b":"kilo"}]"#),
        ("$.a[?@>3.5]", "[5,4,6]"),
        ("$.a[?@.b]", #"[{"b":"j"},{"b":"k"},{"b":{}},{"b":"kilo"}]"#), ("$[?@[*]]", nil),
        ("$[?@[?@.b]]", nil),
        ("$.o[?@<3, ?@<3]", "[1,2,1,2]"), ("$.a[?@<2 || @.b == \"k\"]", #"[1,{"b":"k"}]"#),
        ("$.a[?match(@.b, \"[jk]\")]", #"[{"b":"j"},{"b":"k"}]"#),
        ("$.a[?search(@.b, \"[jk]\")]", #"[{"b":"j"},{"b":"k"},{"b":"kilo"}]"#),
        ("$.o[?@>1 && @<4]", "[2,3]"), ("$.o[?@.u || @.x]", #"[{"u":6}]"#),
        ("$.a[?@.b == $.x]", "[3,5,1,2,4,6]"),
        ("$.a[?@ == @]", nil), ("$[?@ == $.obj]", #"[{"x":"y"}]"#), ("$[?length(@) == 2]", "[[2,3]]"),
        ("$[?length(@) < 3]", #"[{"x":"y"},[2,3],"f"]"#), ("$[?count(@.*) == 2]", "[[2,3]]"),
        ("$[?value(@..u) == 6]", #"[{"p":1,"q":2,"r":3,"s":5,"t":{"u":6}}]"#),
        ("$.a[?match(@.b, $.e)]", "[]"), ("$.a[?@.b > 'ka']", #"[{"b":"kilo"}]"#),
        ("$[?@ == 'f']", #"["f"]"#), ("$[?@.absent == @.missing]", nil),
    ])
    func `filters find what RFC 9535 says`(_ query: String, _ expected: String?) throws {
        let found = try values(query, Self.filters)
        if let expected { #expect(found == expected) } else { #expect(found != "[]") }
    }

    @Test(arguments: [
        "", "a", "$.", "$..", "$.a ", " $", "$[", "$[]", "$['a]", "$[01]", "$[-0]", "$[1.0]",
        "$[9007199254740992]", "$[:01]", "$.1a", "$.&",
        "$[a]", "$[?]", "$[?1]", "$[?@.a == ]", "$[?(@.a]", "$[?@.* == 1]", "$[?length(@.a)]",
        "$[?count(1) == 1]", "$[?nope(@)]",
        "$[?match(@.a)]", "$[?match(@.a, 'b') == true]", "$[?length(@.*) == 1]", "$[?value(1) == 1]",
        "$['\\x']", "$['\\ud800']", "$[\"\\'\"]",
        "$['a', ]", "$[?@.a = 1]", "$[?!1 == 1]", "$. a", "$[?@.a == 01]", "$[?@ == .5]",
        "$[?length (@) == 1]", "$[?@.a && 'x']", "$a", "$['\u{1}']",
    ])
    func `malformed queries are errors with their place`(_ query: String) throws {
        let error = #expect(throws: JSONError.self) { try JSONPath(query) }
        #expect(error?.code == .invalidPath)
        #expect((0...query.utf8.count).contains(error?.byteOffset ?? -1))
    }

    @Test func `deeply nested filters are refused, and large searches end`() throws {
        let deep = "$[?" + String(repeating: "(", count: 100_000) + "@"
        #expect(throws: JSONError.self) { try JSONPath(deep) }
        let nested = "$" + String(repeating: "[?@", count: 100_000)
        #expect(throws: JSONError.self) { try JSONPath(nested) }
        let json = try JSON(parsing: String(repeating: "[", count: 400) + String(repeating: "]", count: 400))
        let error = #expect(throws: JSONError.self) {
            try json.query(JSONPath("$..*..*..*..*..*"), budget: 100_000)
        }
        #expect(error?.code == .tooLarge)
    }

    @Test func `names with escapes, in any quotes, and beyond ASCII`() throws {
        #expect(
            try values(#"$["a\"b"]['c\'d'].é['\u00e9\ud83d\ude00\n']"#, #"{"a\"b":{"c'd":{"é":{"é😀\n":1}}}}"#)
                == "[1]")
        #expect(try values("$ .a\n['b']\t[0]", #"{"a":{"b":[7]}}"#) == "[7]")
    }
}

@Suite(.timeLimit(.minutes(5))) struct PathsTests {
    @Test func `many matches come in the order of the document`() throws {
        let count = Chance.isSoak ? 100_000 : 2_000
        let text = "[" + (0..<count).map { "{\"a\":\($0)}" }.joined(separator: ",") + "]"
        let matches = try JSON(parsing: text).query("$[*].a")
        #expect(matches.map(\.description) == (0..<count).map { "\($0)" })
    }

    @Test func `the elements before a position are charged to the budget`() throws {
        let text = "[" + (0..<1_000).map { "[\($0)]" }.joined(separator: ",") + "]"
        let json = try JSON(parsing: text)
        let path = try JSONPath("$[?@[0] == $[999][0]]")
        #expect(try json.query(path).count == 1)
        #expect(throws: JSONError.self) { try json.query(path, budget: 100_000) }
    }
}
