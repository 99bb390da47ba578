import Foundation
import Stepline
import Testing

@Suite("XML steps: parsing", .timeLimit(.minutes(5)))
struct XMLParsingTests {
    @Test("PL-94: bytes become a document under bodyObject, and stay; a node keeps its document alive")
    func document() async throws {
        func findTitle() async throws -> XML.Element? {
            let pipeline = Pipeline(content: try bag("<r><a/><title>T</title></r>"))
            try pipeline.addStep(XMLParseStep())
            let content = try await pipeline.run()
            #expect(content.bodyData?.count == 27)
            return (content.bodyObject as? XML.Document)?.root.first("title")
        }
        let title = try #require(try await findTitle())
        #expect(title.text == "T" && title.parent?.name == "r" && title.previousSibling?.name == "a")
    }

    @Test(
        "PL-95: malformed or empty input is an error with its place, and no document",
        arguments: [
            ("<a>\n <b></a>", XMLError.Code.malformed, Optional(2)), ("", .empty, Optional<Int>.none),
            ("<a>&nope;</a>", .entity, 1),
            ("<a", .truncated, 1), ("plain", .malformed, 1),
        ])
    func malformed(_ text: String, _ code: XMLError.Code, _ line: Int?) async throws {
        let (cause, left) = try await XMLParseStep().failure(on: bag(text))
        let error = try #require(cause as? XMLError)
        #expect(error.code == code && error.line == line && !error.message.isEmpty, "\(error)")
        #expect(line == nil || error.column != nil, "\(error)")
        #expect(left.bodyObject == nil && left.bodyData == Data(text.utf8))
    }

    @Test("PL-95: leniently it gives what can be saved, and lists each problem")
    func lenient() async throws {
        var options = XML.Options()
        options.isLenient = true
        let document = try await XMLParseStep(options: options).copysOutput(
            of: bag("<r><a>x</b><c>y</c></r>"))
        #expect(document.root.name == "r" && !document.problems.isEmpty)
        #expect(document.problems.allSatisfy { $0.line == 1 })
    }

    @Test("PL-96: internal entities expand; billion laughs and quadratic blow-up end in a limit")
    func laughs() async throws {
        let inner = "<!DOCTYPE a [<!ENTITY e 'x<b/>'>]><a>&e;&e;</a>"
        #expect(try await XMLParseStep().output(of: bag(inner)).root.children.map(\.name) == ["b", "b"])
        var laughs = "<!ENTITY l0 'lol'>"
        for level in 1...12 {
            laughs += "<!ENTITY l\(level) '" + String(repeating: "&l\(level - 1);", count: 10) + "'>"
        }
        let entity = "<!ENTITY e '" + String(repeating: "x", count: 100_000) + "'>"
        for (entities, body) in [
            (laughs, "&l12;"), (entity, String(repeating: "&e;", count: 100_000)),
        ] {
            let text = "<!DOCTYPE a [\(entities)]><a>\(body)</a>"
            for step in [
                XMLParseStep(), XMLRecordsStep(of: "a") { $0.text }, XMLDecodeStep<String>(),
            ] as [any TypedStep] {
                let error = try await step.failure(on: bag(text)).error as? XMLError
                #expect(error?.code == .limit, "\(error as Any)")
                #expect(error?.limit == .entityExpansion || error?.limit == .textLength, "\(error as Any)")
            }
        }
    }

    @Test(
        "PL-97: each limit is an option, and its excess is told by name",
        arguments: [
            ("<a><b><c/></b></a>", XMLError.Limit.depth), ("<a>0123456789</a>", .textLength),
            ("<a b='' c='' d='' e=''/>", .attributes), ("<abcdefghij/>", .nameLength),
            ("<!DOCTYPE a [<!ENTITY e '01234567'>]><a>&e;&e;&e;</a>", .entityExpansion),
            ("<a>" + String(repeating: "<b/>", count: 100) + "</a>", .size),
        ])
    func limits(_ text: String, _ limit: XMLError.Limit) async throws {
        #expect(try await XMLParseStep().output(of: bag(text)).root.name.hasPrefix("a"))
        var options = XML.Options()
        options.maximumDepth = 2
        options.maximumTextLength = 9
        options.maximumAttributes = 3
        options.maximumNameLength = 9
        options.maximumEntityExpansion = 10
        options.maximumSize = 300
        if limit == .entityExpansion { options.maximumTextLength = 100 }
        for step in [
            XMLParseStep(options: options), XMLRecordsStep(of: "a", options: options) { _ in 0 },
            FeedStep(options: options), XMLDecodeStep<String>(options: options),
        ] as [any TypedStep] {
            let copy = try #require(try step.makeCopy() as? any TypedStep)
            let error = try await copy.failure(on: bag(text)).error as? XMLError
            #expect(error?.code == .limit && error?.limit == limit, "\(type(of: step)): \(error as Any)")
        }
    }

    @Test("PL-97: the usual depth is 256")
    func usualDepth() async throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        }
        #expect(try await XMLParseStep().output(of: bag(nested(256))).elements.named("a").count == 256)
        let error = try await XMLParseStep().failure(on: bag(nested(257))).error as? XMLError
        #expect(error?.limit == .depth && error?.line == 1)
    }

    @Test("PL-97: the number of different names is limited, wherever they stand")
    func names() async throws {
        let numbers = 0..<60
        let texts = [
            "<a>" + numbers.map { "<b\($0)/>" }.joined() + "</a>",
            "<a" + numbers.map { " b\($0)=''" }.joined() + "/>",
            "<a>" + numbers.map { "<?b\($0)?>" }.joined() + "</a>",
            "<!DOCTYPE a [" + numbers.map { "<!ENTITY b\($0) ''>" }.joined() + "]><a/>",
        ]
        var options = XML.Options()
        options.maximumNames = 50
        for text in texts {
            #expect(try await XMLParseStep().output(of: bag(text)).root.name == "a")
            let steps: [any TypedStep] = [
                XMLParseStep(options: options), XMLRecordsStep(of: "x", options: options) { _ in 0 },
            ]
            for step in steps {
                let error = try await step.failure(on: bag(text)).error as? XMLError
                #expect(error?.limit == .names, "\(text): \(error as Any)")
            }
        }
        let page = numbers.map { "<b\($0)></b\($0)>" }.joined()
        let error = try await HTMLParseStep(options: options).failure(on: bag(page)).error as? XMLError
        #expect(error?.limit == .names)
    }

    @Test("PL-103: pages with unclosed tags can be queried like any document, and the limits hold")
    func html() async throws {
        let page = try await HTMLParseStep().copysOutput(of: bag(Files.fixture("xml/page.html")))
        #expect(page.isHTML && page.root.name == "html")
        #expect(try page.query(.strings("//ul/li/a")) == ["Home", "Times"])
        #expect(try page.query(.strings("//td")) == ["Pier", "Island"])
        var options = XML.Options()
        options.maximumDepth = 5
        let deep = "<div>" + String(repeating: "<b>", count: 10)
        let error = try await HTMLParseStep(options: options).copysOutputError(of: bag(deep))
        #expect(error?.limit == .depth)
        #expect(try await (HTMLParseStep().failure(on: bag("")).error as? XMLError)?.code == .empty)
    }
}

extension TypedStep {
    fileprivate func copysOutputError(of bag: Content) async throws -> XMLError? {
        let copy = try #require(try makeCopy() as? Self)
        return try await copy.failure(on: bag).error as? XMLError
    }
}
