import SteplineXML
import Testing

@Suite(.timeLimit(.minutes(5))) struct QueryTests {
    static let source = """
        <r xmlns:n='urn:n' xml:lang='de'><item id='1'><title>A</title><n:p>7</n:p></item>
        <item id='2'><title>B<i>C</i></title></item><!--c--><?t d?><![CDATA[x]]></r>
        """

    let document: XML.Document

    init() throws { document = try XML.Document(string: Self.source) }

    @Test func `PL-100 results have their types, and another type is an error`() throws {
        #expect(try document.query(.strings("//item/title")) == ["A", "BC"])
        #expect(try document.query(.strings("//@id | //title[1]")) == ["1", "A", "2", "BC"])
        #expect(try document.query(.elements("//item")).map { $0["id"] } == ["1", "2"])
        #expect(try document.query(.first("//item[@id=2]"))?.text == "BC")
        #expect(try document.query(.first("//none")) == nil)
        #expect(try document.query(.elements("//none")).isEmpty)
        #expect(try document.query(.string("//none")) == nil)
        #expect(try document.query(.number("sum(//@id)")) == 3)
        #expect(try document.query(.number("//title")) == nil)
        #expect(try document.query(.bool("//item[@id='2']")))
        #expect(try document.query(.string("concat('a', 1)")) == "a1")
        #expect(try document.query(.number("//item[lang('de')]/@id")) == 1)
        #expect(try document.query(.strings("//comment() | //processing-instruction() ")) == ["c", "d"])
        #expect(throws: XMLError.self) { try document.query(.elements("1 + 1")) }
    }

    @Test func `PL-94 a node that is found is the node that is walked to`() throws {
        let all = try document.query(.nodes("//node() | //@*"))
        var walked: [XML.Node] = []
        func walk(_ node: XML.Node) {
            walked.append(node)
            walked += (node.element?.attributes ?? []).map(\.node)
            for child in node.nodes { walk(child) }
        }
        for node in document.nodes { walk(node) }
        #expect(all == walked)
        #expect(try document.query(.nodes("/")) == [document.node])
    }

    @Test func `PL-99 prefixes are the query's own`() throws {
        #expect(try document.query(.number("//x:p"), namespaces: ["x": "urn:n"]) == 7)
        let error = #expect(throws: XMLError.self) { try document.query(.number("//title/x:p")) }
        #expect(error?.code == .namespace && error?.column == 9)
        #expect(throws: XMLError.self) { try XML.Query.strings("//y:*").check(namespaces: ["x": "u"]) }
        #expect(try document.query(.strings("//item[title = 'n:p']")).isEmpty)
    }

    @Test func `variables and contexts`() throws {
        let query = XML.Query.first("item[@id = $id]")
        #expect(try document.root.query(query, variables: ["id": "2"])?["id"] == "2")
        #expect(try document.root.query(query, variables: ["id": 1])?["id"] == "1")
        #expect(throws: XMLError.self) { try document.root.query(query) }
        let item = try #require(try document.root.query(query, variables: ["id": 2]))
        #expect(try item.query(.string("preceding-sibling::item/title")) == "A")
        #expect(try item.query(.string("/r/item/title")) == "A")
    }

    @Test(arguments: [
        "//item[", "//", "item[@id=]", "'open", "nope(1)", "a b", "(", "item]", "$", "", "1 +", "@@id",
    ])
    func `a bad expression is an error with its place`(expression: String) throws {
        let error = #expect(throws: XMLError.self) { try XML.Query.strings(expression).check() }
        #expect(error?.code == .query)
        #expect(error?.column != nil)
        #expect(throws: XMLError.self) { try document.query(.strings(expression)) }
    }

    @Test func `PL-100 a runaway query ends in its limit`() throws {
        let wide = try XML.Document(string: "<r>" + String(repeating: "<a><b/></a>", count: 1_000) + "</r>")
        let expression = "count(//*[count(//*[count(//*[count(//*) > 1]) > 1]) > 1])"
        let error = #expect(throws: XMLError.self) { try wide.query(.number(expression)) }
        #expect(error?.limit == .queryOperations)
        let nested = String(repeating: "(", count: 5_000) + "1" + String(repeating: ")", count: 5_000)
        for expression in [
            nested, String(repeating: "a/", count: 5_000) + "a", String(repeating: "-", count: 10_000) + "1",
        ] {
            let error = #expect(throws: XMLError.self) { try document.query(.number(expression)) }
            #expect(error?.limit == .queryComplexity)
        }
    }
}
