import Foundation
import SteplineXML
import Testing

@Suite(.timeLimit(.minutes(5))) struct QueryGrammarTests {
    @Test(arguments: [
        ("100000000000000000000", "100000000000000000000"), ("0.0000001", "0.0000001"),
        ("1 div 3", "0.3333333333333333"),
        ("1234567890123", "1234567890123"), ("-0", "0"), ("1 div 0", "Infinity"), ("-1 div 0", "-Infinity"),
        ("0 div 0", "NaN"), ("-1.50", "-1.5"), ("concat('n', 1234567890123)", "n1234567890123"),
        ("string(0.00000001)", "0.00000001"), ("string(//a)", "x"), ("string()", "x"),
        ("concat(//a, 2.50)", "x2.5"),
    ])
    func `numbers are spelt as XPath has it`(expression: String, text: String) throws {
        let document = try XML.Document(string: "<a>x</a>")
        #expect(try document.query(.string(expression)) == text)
        #expect(try document.query(.strings(expression)) == [text])
    }

    @Test func `id() knows the IDs that the document type declares`() throws {
        let document = try XML.Document(
            string: """
                <!DOCTYPE r [<!ATTLIST a key ID #REQUIRED other CDATA #IMPLIED><!ATTLIST n:b k ID #IMPLIED>]>
                <r xmlns:n='u'><a key='one' other='x'>1</a><a key='two'>2</a><c key='three'/><n:b k=' four '>4</n:b>
                <d xml:id='five'>5</d></r>
                """)
        #expect(try document.query(.strings("id('one') | id('two')")) == ["1", "2"])
        #expect(try document.query(.strings("id('two one')")) == ["1", "2"])
        #expect(try document.query(.elements("id('x') | id('three')")).isEmpty)
        #expect(try document.query(.string("id('four')")) == "4")
        #expect(try document.query(.string("id('five')")) == "5")
        let page = try XML.Document(html: "<p id=a>x<p id=b>y")
        #expect(try page.query(.string("id('b')")) == "y")
    }

    @Test(
        arguments: [
            ("a b", 3), ("1 2", 3), ("//a//", 6), ("a[", 3), ("a[1", 4), ("a]", 2), ("(a", 3), ("a)", 2),
            ("@@a", 2),
            ("child::", 8), ("child:a", 1), ("foo::a", 1), ("a/", 3), ("/ a b", 5), ("a|", 3), ("a and", 6),
            ("and and", 8),
            ("$", 2), ("$ a", 2), ("$a b", 4), ("f(", 1), ("count(", 7), ("count(a,", 9), ("..a", 3),
            (".a", 2),
            ("...", 3),
            ("1.2.3", 4), ("a!b", 2), ("a!=", 4), ("a=", 3), ("--", 3), ("a[1]b", 5), ("text(", 6),
            ("text(1)", 6),
            ("comment('x')", 9), ("processing-instruction(x)", 24), ("*:a", 2), ("a:*:b", 4), ("a::b", 1),
            ("@", 2),
            ("/@", 3), ("'x''y'", 4), ("1a", 2), ("a/1", 3), ("a/(b)", 3), ("a/'x'", 3), ("#", 1),
            ("/ and 1", 7),
            ("a#", 2), ("a/$b", 3),
            ("()", 2), ("a[]", 3), ("position()/", 12), ("a;b", 2), ("a,b", 2), ("count(a b)", 9), ("//", 3),
            ("///a", 3),
            ("ancestor-or-self::", 19), ("..[1]", 3), (".[1]", 2), ("-", 2), ("1 +", 4), ("a mod", 6),
            ("@*[", 4),
            ("node()()", 7), ("a/text()()", 9), ("string-length('a'", 18), ("id('a')b", 8), ("not()", 1),
            ("count(1,2)", 1),
            ("concat('a')", 1), ("last(1)", 1),
        ] as [(String, Int)])
    func `an expression that isn't XPath is refused with the column`(expression: String, column: Int) throws {
        let error = #expect(throws: XMLError.self, "\(expression)") {
            try XML.Query.strings(expression).check(namespaces: ["a": "urn:x"])
        }
        #expect(error?.code == .query || error?.code == .namespace)
        #expect(error?.column == column, "\(expression): \(error.map(String.init(describing:)) ?? "")")
    }

    @Test(arguments: [
        "/", "/*", "//*", "..", ".", "@*", "@a:b", "a:*", "child::a", "child :: a", "a/@b", "a//b",
        "/a/b[1][2]", "-1",
        "- - 1", "1 - -1", "a-b", "a - b", "(a)[1]/b", "id('x')/b", "$v/b", "$v[1]//b", "(//a)[last()]",
        "a|b|c",
        "1 < 2 = 2 >= 1 != 0", "* * *", "div div div", "mod mod mod", "and and and", "/ = 1", "* and *",
        "@div div @mod", "node()", "self::node()", "processing-instruction()",
        "processing-instruction('x')/..", ".5", "5.",
        "5.5", "'a' = \"b\"", "text()[1]", "string()", "/ | a", "a[b and c]", "not(a)",
        "a[position()=1 or @b>2]", "$v",
        "$a:v", "concat('a', 'b', 'c')", "ancestor::*[@x]/following-sibling::node()", " a ", "a\n[1]",
        "\u{E4}", "-a|b",
        "namespace::*", "comment()/..", "text/comment", "node/id", "div", "*[1]", "child::text()", "self::or",
        "a and b or c div d mod e", "a-b.c/d", "//*[position() = last()]", "ancestor-or-self::node()[1]/@*",
        "processing-instruction('x')", "-(1 - 2) * 3", "a[1]/b[c and (d or e)]", "../..", ".//x",
        "and/or[div and mod]", "xml:a", "a [ 1 ]", "count ( a )",
    ])
    func `an expression that is XPath isn't refused`(expression: String) throws {
        try XML.Query.strings(expression).check(namespaces: ["a": "urn:x"])
    }
}
