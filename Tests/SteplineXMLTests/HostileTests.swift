import Foundation
import TestSupport
import Testing

@testable import SteplineXML

struct HostileCase: Sendable, CustomTestStringConvertible {
    let name: String
    let source: String
    let limit: XMLError.Limit
    var options = XML.Options()

    init(_ name: String, _ source: String, _ limit: XMLError.Limit, textLength: Int? = nil) {
        self.name = name
        self.source = source
        self.limit = limit
        if let textLength { options.maximumTextLength = textLength }
    }

    /// An attribute of ten million characters takes three seconds.
    static let longAttribute: HostileCase = {
        let length = Chance.isSoak ? 10_000_000 : 100_000
        return HostileCase(
            "long attribute", Hostile.attribute(length: length), .textLength, textLength: length)
    }()

    var testDescription: String { name }
}

@Suite(.timeLimit(.minutes(5))) struct HostileTests {
    @Test func `entities, CDATA, comments and attributes come out right`() throws {
        let source =
            "<!DOCTYPE a [<!ENTITY e 'x<i/>y'><!ENTITY f '&#38;lt;'>]>"
            + "<a b='1 &f;&amp;'>&lt;&e;t<!--c--><![CDATA[<]]><?p q?></a>"
        let document = try XML.Document(string: source)
        let root = document.root
        #expect(root.name == "a")
        #expect(root["b"] == "1 <&")
        #expect(root.text == "<xyt<")
        #expect(root.nodes.map(\.kind) == [.text, .element, .text, .comment, .cdata, .instruction])
        let again = try XML.Document(string: document.xml)
        #expect(again.xml == document.xml)
    }

    @Test(
        .serialized,
        arguments: [
            HostileCase("billion laughs", Hostile.billionLaughs, .entityExpansion),
            HostileCase("quadratic", Hostile.quadratic, .entityExpansion),
            HostileCase("defaults", Hostile.defaults, .entityExpansion),
            HostileCase("attribute laughs", Hostile.attributeLaughs, .entityExpansion),
            HostileCase("loop", Hostile.loop, .entityExpansion),
            HostileCase("deep", Hostile.deep, .depth),
            HostileCase("attributes", Hostile.attributes(2_000), .attributes),
            HostileCase("many attributes", Hostile.attributes(30_000), .attributes),
            HostileCase("hidden attributes", Hostile.hiddenAttributes, .attributes),
            HostileCase("text", Hostile.text, .textLength),
            HostileCase.longAttribute,
            HostileCase("long comment", Hostile.longComment, .textLength),
            HostileCase("name", Hostile.name, .nameLength),
        ])
    func `PL-96, PL-97 hostile input ends in its limit`(hostile: HostileCase) throws {
        let bytes = Array(hostile.source.utf8)
        var thrown: XMLError?
        do {
            _ = try XML.Document(bytes: bytes, options: hostile.options)
        } catch {
            thrown = error
        }
        let error = try #require(thrown, "nothing thrown by \(hostile.name)")
        #expect(error.limit == hostile.limit, "\(hostile.name): \(error)")
        #expect(error.line != nil)
    }
}
