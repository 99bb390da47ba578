import Foundation
import SteplineXML
import Testing

@Suite(.timeLimit(.minutes(5))) struct FixtureTests {
    @Test(arguments: ["billion-laughs.xml", "entity-loop.xml", "external-entity.xml"])
    func `hostile files are refused`(name: String) throws {
        let file = Fixture.folder.appending(path: name)
        let error = #expect(throws: XMLError.self) { try XML.Document(contentsOf: file) }
        #expect(error?.code == (name == "external-entity.xml" ? .entity : .limit))
        #expect(throws: XMLError.self) { try XML.Stream(of: "a", in: file).forEach { _ in .more } }
    }

    @Test func `a catalogue is read from its file`() throws {
        let document = try XML.Document(contentsOf: Fixture.folder.appending(path: "catalogue.xml"))
        #expect(
            document.isStandalone == true && document.version == "1.0"
                && document.doctype?.name == "catalogue")
        let items = document.root.children("item")
        #expect(items.map { $0["kind"] } == ["book", "film"])
        #expect(items[0].first("publisher")?.text == "Stone & Sons")
        #expect(items[1].first("title")?.text == "<Night> & Day")
        let prices = XML.Query.strings("//c:price[@currency = $currency]")
        let names = ["c": "urn:catalogue"]
        #expect(try document.query(prices, namespaces: names, variables: ["currency": "SEK"]) == ["99"])
        #expect(try XML.Document(string: document.xml).xml == document.xml)
    }

    @Test func `a page is read`() throws {
        let page = try XML.Document(html: try Fixture.data("page.html"))
        #expect(try page.query(.strings("//ul/li/a/@href")) == ["/", "/times?x=1&y=2"])
        #expect(try page.query(.strings("//td")) == ["Pier", "Island"])
        #expect(page.root["lang"] == "en" && !page.problems.isEmpty)
    }

    @Test func `records come from a file, and a missing file is an error`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "records-\(UUID().uuidString).xml")
        try Data(recordsSource(20_000).utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var count = 0
        for try await record in XML.Stream(of: "/list/item", in: file) {
            #expect(record["id", as: Int.self] == count)
            count += 1
        }
        #expect(count == 20_000)
        let missing = file.appendingPathExtension("none")
        let error = #expect(throws: XMLError.self) { try XML.Document(contentsOf: missing) }
        #expect(error?.code == .unreadable && error?.underlying != nil)
        await #expect(throws: XMLError.self) { for try await _ in XML.Stream(of: "a", in: missing) {} }
    }
}
