import Foundation
import SteplineXML
import Testing

@Suite(.timeLimit(.minutes(5))) struct FeedTests {
    @Test func `a quote in an attribute ends it in no HTML, whatever stands after it`() throws {
        let feed = try Feed(
            data: Data(
                """
                <rss version="2.0"><channel><item><title>t</title><description>
                <p title="a&#34;&#x301; onmouseover=&#34;go()">x</p></description></item></channel></rss>
                """.utf8))
        let html = try #require(feed.items.first?.summary?.html)
        let expected = "<p title=\"a&quot;\u{301} onmouseover=&quot;go()\">x</p>"
        #expect(html == expected)
        let page = try XML.Document(html: html)
        #expect(page.root.descendants.first { $0.name == "p" }?.attributes.map(\.name) == ["title"])
    }
}
