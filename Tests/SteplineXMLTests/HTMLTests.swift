import Foundation
import SteplineXML
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct HTMLTests {
    @Test func `PL-103 a page with unclosed tags can be queried`() throws {
        let page = """
            <!DOCTYPE html><html><head><title>T &amp; &nbsp;ü</title><meta charset=utf-8>
            <script>if (a < b && c > d) { x("</p>") }</script></head>
            <body><ul class=nav><li>One<li><a HREF="/two">Two</a></ul><p>Para<p>Two<br>lines<img src=x alt='y' checked>
            """
        let document = try XML.Document(html: Data(page.utf8))
        #expect(document.isHTML && document.root.name == "html" && document.doctype?.name == "html")
        #expect(try document.query(.string("//title")) == "T & \u{A0}ü")
        #expect(try document.query(.strings("//li")) == ["One", "Two"])
        #expect(try document.query(.strings("//a/@href")) == ["/two"])
        #expect(try document.query(.number("count(//p)")) == 2)
        #expect(try document.query(.first("//img"))?["alt"] == "y")
        #expect(try document.query(.bool("//img/@checked")))
        #expect(try document.query(.string("//script"))?.contains("a < b") == true)
        #expect(try document.query(.first("//ul"))?.line == 3)
    }

    @Test func `PL-103 the charset is the option's, else that of meta`() throws {
        let latin =
            Array(
                "<html><head><meta http-equiv='Content-Type' content='text/html; charset=ISO-8859-1'></head><body>"
                    .utf8) + [0xE4, 0x80]
        #expect(try XML.Document(html: Data(latin)).query(.string("//body")) == "ä€")
        var options = XML.Options()
        options.charset = "windows-1251"
        #expect(
            try XML.Document(html: Data(Array("<p>".utf8) + [0xE4]), options: options).query(.string("//p"))
                == "д")
    }

    @Test func `PL-103 limits hold`() {
        func limit(_ page: String) -> XMLError.Limit? {
            do throws(XMLError) {
                _ = try XML.Document(html: page)
            } catch {
                return error.limit
            }
            return nil
        }
        #expect(limit(String(repeating: "<div>", count: 10_000)) == .depth)
        #expect(limit("<p" + (0..<2_000).map { " a\($0)" }.joined() + ">") == .attributes)
        #expect(limit("<p" + (0..<20_000).map { " a\($0)" }.joined() + ">") == .attributes)
        let many = (0..<20_000).map { "a\($0) " }.joined()
        for start in [
            "<p x=\">\" ", "<p x='>'", "<p <p ", "<p x=y\" ", "<script>if (i<n) x = '\"'</script><p ",
            "<!-- <a b=\" --><p ", "<p x = \">\"y",
        ] {
            #expect(limit(start + many + ">") == .attributes, "\(start)")
        }
        #expect(limit("<p" + (0..<20_000).map { " a\($0)='>'" }.joined() + ">") == .attributes)
        // Many attributes, of many elements; many words, but no attributes.
        let links = String(repeating: "<a href='x y z' class=\"b c\" hidden>d > e</a>\n", count: 4_000)
        #expect(limit(links + "<script>for (i=0;i<n;i++) {s = '\"'}</script>" + links) == nil)
        #expect(limit("<p title='a'>" + String(repeating: "word ", count: 100_000)) == nil)
        #expect(limit("<p>" + String(repeating: "0123456789", count: 1_100_000)) == .textLength)
        #expect(throws: XMLError.self) { try XML.Document(html: "") }
    }

    @Test func `damaged pages never end in anything but a document or an error`() {
        let seed = Chance.seed
        for offset in 0..<300 {
            var generator = DocumentGenerator(seed: seed &+ UInt64(offset))
            var bytes = Array(generator.document().utf8)
            for _ in 0...generator.random(9) {
                bytes[generator.random(bytes.count)] = UInt8(generator.random(128))
            }
            if let document = try? XML.Document(html: Data(bytes)) { _ = document.xml }
        }
    }
}
