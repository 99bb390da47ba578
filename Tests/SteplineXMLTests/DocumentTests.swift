import Foundation
import SteplineXML
import Testing

@Suite(.timeLimit(.minutes(5))) struct DocumentTests {
    static let source = """
        <?xml version="1.0"?>
        <!DOCTYPE list [<!ENTITY e "x<i>y</i>">]>
        <list xmlns:n="urn:n"><item id="1" ok="true">a&e;&#228;</item>
        <?p d?><!--c--><n:item n:k='v'><![CDATA[<]]></n:item></list>
        """

    @Test func `PL-97 cut at whatever byte, it is an error`() {
        let bytes = Array(Self.source.utf8)
        for cut in 0..<bytes.count {
            #expect(throws: XMLError.self, "cut at \(cut)") { try XML.Document(bytes: Array(bytes[..<cut])) }
        }
    }

    @Test(arguments: [
        ("", "empty"), (" \n", "truncated"), ("<a>", "truncated"), ("<a></b>", "malformed"),
        ("<a/><b/>", "malformed"),
        ("<a b='1' b='2'/>", "malformed"), ("<a>&x;</a>", "entity"), ("<p:a/>", "namespace"),
        ("<a>\u{0}</a>", "malformed"),
        ("<a/>\u{0}<", "malformed"), ("text", "malformed"), ("<a>\u{1}</a>", "malformed"),
        ("<!DOCTYPE a SYSTEM 'http://x.invalid/a.dtd'><a>&nbsp;</a>", "entity"),
    ])
    func `malformed input is an error with its kind`(source: String, code: String) throws {
        let error = #expect(throws: XMLError.self) { try XML.Document(bytes: Array(source.utf8)) }
        #expect(error?.code.description == code, "\(error.map(String.init(describing:)) ?? "")")
        #expect(source.isEmpty || error?.line != nil)
    }

    @Test func `PL-95 an error has line, column and message`() {
        let error = #expect(throws: XMLError.self) { try XML.Document(string: "<a>\n  <b>\n  </c></a>") }
        #expect(error?.line == 3 && error?.column != nil && error?.message.contains("b") == true)
    }

    @Test func `PL-95 lenient gives what can be saved`() throws {
        var options = XML.Options()
        options.isLenient = true
        let document = try XML.Document(string: "<a>\n<b>1</c><d>2 &x; & </d>", options: options)
        #expect(document.root.name == "a" && document.root.first("b")?.text.hasPrefix("1") == true)
        #expect(document.problems.count >= 2 && document.problems[0].line == 2)
        #expect(throws: XMLError.self) { try XML.Document(string: "nothing", options: options) }
        let laughs = #expect(throws: XMLError.self) {
            try XML.Document(string: Hostile.billionLaughs, options: options)
        }
        #expect(laughs?.limit == .entityExpansion)
    }

    @Test func `PL-96 external entities touch nothing`() throws {
        let secret = FileManager.default.temporaryDirectory.appending(path: "secret-\(UUID().uuidString).txt")
        try Data("secret".utf8).write(to: secret)
        defer { try? FileManager.default.removeItem(at: secret) }
        for declaration in [
            "<!ENTITY x SYSTEM '\(secret.absoluteString)'>", "<!ENTITY x SYSTEM '\(secret.path)'>",
            "<!ENTITY % p SYSTEM '\(secret.absoluteString)'> %p;<!ENTITY y '1'>",
            "<!ENTITY x PUBLIC 'p' 'http://127.0.0.1:1/'>",
        ] {
            for content in ["<a>&x;</a>", "<a b='&x;'/>"] {
                let error = #expect(throws: XMLError.self) {
                    try XML.Document(string: "<!DOCTYPE a [\(declaration)]>\(content)")
                }
                #expect(error?.message.contains("secret\n") != true)
            }
            let unused = try XML.Document(
                string: "<!DOCTYPE a SYSTEM '\(secret.path)' [\(declaration)]><a>t</a>")
            #expect(unused.root.text == "t" && unused.doctype?.systemID == secret.path)
        }
        let include =
            "<a xmlns:xi='http://www.w3.org/2001/XInclude'><xi:include href='\(secret.path)' parse='text'/></a>"
        #expect(try XML.Document(string: include).root.text.isEmpty)
    }

    @Test func `PL-94 a node keeps its document, and knows its family`() throws {
        func make() throws -> XML.Element { try XML.Document(string: Self.source).root }
        let root = try make()
        let items = Array(root.children)
        #expect(items.map(\.name) == ["item", "n:item"])
        #expect(items[1].localName == "item" && items[1].prefix == "n" && items[1].namespace == "urn:n")
        #expect(
            items[0].text == "axyä" && items[0]["id", as: Int.self] == 1
                && items[0]["ok", as: Bool.self] == true)
        #expect(
            items[0]["id", as: Bool.self] == true && items[0]["none"] == nil
                && items[0]["ok", as: Int.self] == nil)
        #expect(items[1].attribute("k", in: "urn:n")?.value == "v" && items[1]["n:k"] == "v")
        #expect(
            items[0].nextSibling == items[1] && items[1].previousSibling == items[0]
                && items[0].previousSibling == nil)
        #expect(items[0].parent == root && root.parent == nil && items[0] < items[1])
        #expect(root.nodes.map(\.kind) == [.element, .text, .instruction, .comment, .element])
        let kinds = Array(root.nodes)
        for (left, right) in zip(kinds, kinds.dropFirst()) {
            #expect(left.nextSibling == right && right.previousSibling == left && left < right)
        }
        #expect(items.map(\.line) == [3, 4])
        #expect(root.descendants.map(\.localName) == ["item", "i", "item"])
        #expect(items[1].namespaces == ["n": "urn:n"])
        #expect(items[1].xml.contains("xmlns:n"))
        _ = try XML.Document(string: items[1].xml)
    }

    /// PL-94, under ThreadSanitizer too.
    @Test func `PL-94 a thousand documents on several threads, and one read by all`() async throws {
        let shared = try XML.Document(string: recordsSource(50))
        let total = try await withThrowingTaskGroup(of: Int.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    var count = 0
                    for number in 0..<250 {
                        let document = try XML.Document(string: recordsSource(number % 7 + 1))
                        count += try document.query(.elements("//item")).count
                        #expect(shared.root.children("item").count == 50)
                        if number % 25 == worker {
                            #expect(try shared.query(.number("count(//title)")) == 50)
                        }
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(total == 4 * (0..<250).reduce(0) { $0 + $1 % 7 + 1 })
    }

    @Test func `a quote in an external name ends it in no text, whatever stands after it`() throws {
        let name = "x\"\u{301}y"
        let document = try XML.Document(string: "<!DOCTYPE a SYSTEM '\(name)'><a/>")
        let again = try XML.Document(string: document.xml)
        #expect(again.doctype?.systemID == name)
    }

    @Test func `equals signs outside tags are no attributes`() throws {
        let pairs = String(repeating: "key=value ", count: 20_000)
        for text in ["<![CDATA[\(pairs)]]>", "<!--\(pairs)-->", "<?p \(pairs)?>", pairs] {
            let nodes = Array(try XML.Document(string: "<a>\(text)</a>").root.nodes)
            #expect(nodes.count == 1 && nodes[0].text.utf8.count == pairs.utf8.count)
        }
    }

    @Test func `PL-97 limits are options`() throws {
        var options = XML.Options()
        options.maximumDepth = 1_000
        let deep = String(repeating: "<a>", count: 1_000) + String(repeating: "</a>", count: 1_000)
        let document = try XML.Document(string: deep, options: options)
        #expect(document.elements.map { _ in 1 }.count == 1_000)
        #expect(document.xml.hasSuffix(deep.replacing("<a></a>", with: "<a/>") + "\n"))
        options.maximumSize = 10
        let error = #expect(throws: XMLError.self) { try XML.Document(string: deep, options: options) }
        #expect(error?.limit == .size)
    }
}
