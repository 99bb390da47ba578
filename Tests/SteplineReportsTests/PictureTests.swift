import Foundation
import SteplineJSON
import SteplineReports
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import SteplineXML
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PictureTests {
    /// One task in each state, with keyed, failure-allowing and cleaning-up edges, and a workflow inside.
    private func everyState(_ name: (String) -> String = { $0 }) async throws -> Workflow {
        let bench = Bench(name("all states"))
        let workflow = bench.workflow
        let done = try bench.add(name("done"))
        let bad = try bench.add(name("bad"), after: [done])
        let stuck = try bench.add(name("stuck"), after: [bad])
        let tolerant = try bench.add(
            name("tolerant"), after: [done, bad], allowingFailureOf: [bad])
        let off = try bench.add(name("off"))
        let waiting = try bench.add(name("waiting"), keyed: ["the key": tolerant])
        let inner = Workflow(name("inside"), options: WorkflowOptions(keptAttempts: 8, clock: bench.clock))
        try inner.add(BlockTask(name: name("inner task")) { $0.finish() })
        try workflow.add(
            SubworkflowTask(name: name("outer task"), subworkflow: inner), prerequisites: [waiting])
        try workflow.addCleanup(name("tidy up"), after: [tolerant]) {}
        try workflow.start()
        await bench.awaitBegin(of: off)
        await bench.finish(done, after: 2)
        await bench.awaitBegin(of: bad)
        bench.clock.advance(by: .seconds(1))
        bad.fail(with: Wrapped(text: name("no access"), underlying: Broken(text: name("the door is locked"))))
        off.cancel("\(name("not today"))")
        await bench.awaitBegin(of: tolerant)
        #expect(stuck.isPending && tolerant.isExecuting && waiting.isPending && off.isCancelled)
        return workflow
    }

    @Test("no picture shows a secret that stands in an error's text")
    func redacted() async throws {
        struct Refused: Error, CustomStringConvertible {
            var description: String { "GET https://ada:lovelace@example.com/?token=sesame was refused" }
        }
        let workflow = Workflow("secrets", options: WorkflowOptions(keptAttempts: 8))
        try workflow.add("bad") { () throws -> Int in throw Refused() }
        _ = await workflow.outcome()
        for format in [PictureFormat.html, .svg, .trace, .dot, .mermaid] {
            let picture = workflow.picture(as: format)
            #expect(!picture.contains("lovelace") && !picture.contains("sesame"), "\(format)")
        }
        #expect(workflow.picture(as: .html).contains("was refused"))
    }

    @Test(
        "WF-102, WF-103: every name is escaped in every format, and a parser of each accepts the picture",
        arguments: hostileNames.indices)
    func escapes(place: Int) async throws {
        let hostile = hostileNames[place]
        let tame = try await everyState()
        let workflow = try await everyState { $0 + hostile }
        let svg = try XML.Document(string: workflow.picture(as: .svg))
        let tameSVG = try XML.Document(string: tame.picture(as: .svg))
        let (drawn, tameDrawn) = (shape(svg), shape(tameSVG))
        #expect((drawn == tameDrawn) == true)
        let html = try XML.Document(string: workflow.picture(as: .html))
        let tameHTML = try XML.Document(string: tame.picture(as: .html))
        let (page, tamePage) = (shape(html), shape(tameHTML))
        #expect((page == tamePage) == true)
        #expect(svg.root.name == "svg" && html.root.name == "html")
        let trace = try JSON(parsing: workflow.picture(as: .trace))
        let names = trace["traceEvents"]?.array?.compactMap { $0["name"]?.string } ?? []
        #expect(names.contains("done" + hostile))
        #expect(DOTGrammar.problem(in: workflow.picture(as: .dot)) == nil)
        #expect(MermaidGrammar.problem(in: workflow.picture(as: .mermaid)) == nil)
        #expect(lines(workflow.picture(as: .dot)) == lines(tame.picture(as: .dot)))
        #expect(lines(workflow.picture(as: .mermaid)) == lines(tame.picture(as: .mermaid)))
    }

    @Test(
        "WF-103: Mermaid, which reads labels as Markdown, shows names as they are",
        arguments: [
            ("1. Download", "1#46; Download"), ("12.", "12#46;"), ("12", "12"), ("- x", "#45; x"),
            ("---", "#45;--"), ("+ x", "#43; x"), ("a - b + 1. c", "a - b + 1. c"),
            ("_a_ *b* ~~c~~", "#95;a#95; #42;b#42; #126;#126;c#126;#126;"),
        ])
    func markdown(name: String, label: String) throws {
        let workflow = Workflow()
        try workflow.add(WorkflowTask(name: name))
        let picture = workflow.picture(as: .mermaid)
        #expect(picture.contains("\"\(label)<br/>"), "\(picture)")
        #expect(MermaidGrammar.problem(in: picture) == nil)
    }

    /// The names of all elements, in order: what a name must not change.
    private func shape(_ document: XML.Document) -> [String] { document.elements.map(\.name) }

    private func lines(_ text: String) -> Int { text.split(separator: "\n").count }

    @Test("WF-103: the same graph in the same state gives the same text")
    func deterministic() async throws {
        let one = try await everyState()
        let two = try await everyState()
        for format in PictureFormat.all {
            let texts = Set([one, one, two].map { $0.picture(as: format) })
            #expect(texts.count == 1, "\(format)")
        }
    }

    @Test("WF-103: SVG and HTML are one file that loads nothing; HTML has one script, always the same")
    func loadsNothing() async throws {
        let workflow = try await everyState()
        for format in [PictureFormat.svg, .html] {
            let text = workflow.picture(as: format)
                .replacingOccurrences(of: "http://www.w3.org/2000/svg", with: "")
            let loaders = [
                "http:", "https:", "<link", "<img", "@import", "fetch(", "src=", "javascript:", "XMLHttp",
                "import(", "WebSocket", "sendBeacon", "innerHTML", "eval(", "Function(",
            ]
            for loader in loaders {
                #expect(!text.contains(loader), "\(format) has \(loader)")
            }
            let references = text.ranges(of: "url(").map { text[$0.upperBound] }
            #expect(references.allSatisfy { $0 == "#" })
        }
        #expect(!workflow.picture(as: .svg).contains("<script"))
        let html = workflow.picture(as: .html)
        let scripts = try XML.Document(string: html).elements.filter { $0.name == "script" }
        #expect(scripts.map { $0["type"] } == ["application/json", nil])
        let other = try XML.Document(string: Bench.single().picture(as: .html))
        let texts = other.elements.filter { $0.name == "script" }.map(\.text)
        #expect(texts.last == scripts.last?.text)
    }

    @Test("WF-103: the page's policy allows its own script, by its hash, and nothing else")
    func policy() throws {
        let html = try Bench.single().picture(as: .html)
        let start = try #require(html.range(of: "<script>"))
        let end = try #require(html.range(of: "</script>", range: start.upperBound..<html.endIndex))
        let script = Data(html[start.upperBound..<end.lowerBound].utf8)
        let hash = Data(script.withUnsafeBytes { SHA256.hash($0) }).base64EncodedString()
        let policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-\(hash)'"
        #expect(html.contains("content=\"\(policy)\""))
    }

    @Test("WF-103: each state is told by a word and by a shape, in light and dark")
    func wordsAndShapes() async throws {
        let workflow = try await everyState()
        let states = ["Pending", "Blocked", "Executing", "Finished", "Failed", "Cancelled"]
        for format in [PictureFormat.dot, .mermaid, .svg, .html] {
            for word in states { #expect(workflow.picture(as: format).contains(word), "\(format): \(word)") }
        }
        for format in [PictureFormat.svg, .html] {
            let text = workflow.picture(as: format)
            #expect(text.contains("prefers-color-scheme:dark"))
            for word in states { #expect(text.contains("#mark-\(word.lowercased())")) }
        }
        let svg = try XML.Document(string: workflow.picture(as: .svg))
        let shapes = svg.elements.filter { $0["id"]?.hasPrefix("mark-") == true }.map { mark in
            mark.descendants.map(\.xml).joined()
        }
        #expect(shapes.count == 7 && Set(shapes).count == 7)
    }

    @Test(
        "WF-102, WF-103: subworkflows are framed, kinds of edges marked; the page has failures with causes"
    )
    func marks() async throws {
        let workflow = try await everyState()
        let marks: [(PictureFormat, [String])] = [
            (
                .dot,
                [
                    "subgraph cluster_t7", "label=\"the key\"", "style=dashed, tooltip=\"may fail\"",
                    "style=dotted",
                ]
            ),
            (
                .mermaid,
                [
                    "subgraph t7_inside", "-->|\"the key\"|", "-.->|\"may fail\"|",
                    "-.->|\"cleans up\"|",
                ]
            ),
            (
                .svg,
                ["inner task", ">the key</text>", "class=\"edge may-fail\"", "class=\"edge guards\""]
            ),
            (.html, ["no access", "caused by: the door is locked", " by bad (Failed)"]),
        ]
        for (format, texts) in marks {
            let picture = workflow.picture(as: format)
            for text in texts { #expect(picture.contains(text), "\(format): \(text)") }
        }
    }

    @Test("WF-90, WF-103: groups are framed in every drawing, with no stranger inside the frame")
    func groups() throws {
        let workflow = Workflow()
        let first = try workflow.add(WorkflowTask(name: "first"))
        let photos = workflow.group("photos & films")
        for number in 0..<3 {
            try photos.add(WorkflowTask(name: "photo \(number)"), prerequisites: [first])
            try workflow.add(WorkflowTask(name: "stranger \(number)"), prerequisites: [first])
        }
        _ = workflow.group("empty")
        #expect(workflow.picture(as: .dot).contains("label=\"photos &amp; films\""))
        #expect(workflow.picture(as: .mermaid).contains("[\"photos #38; films\"]"))
        #expect(DOTGrammar.problem(in: workflow.picture(as: .dot)) == nil)
        #expect(MermaidGrammar.problem(in: workflow.picture(as: .mermaid)) == nil)
        let svg = try XML.Document(string: workflow.picture(as: .svg))
        let frame = try #require(svg.elements.first { $0["class"] == "frame" })
        let (corner, size) = (try place(frame.parent), try numbers([frame["width"], frame["height"]]))
        let inside = try svg.elements.filter { $0["class"] == "card" }.filter { card in
            let place = try place(card.parent)
            return place[0] > corner[0] && place[0] < corner[0] + size[0] && place[1] > corner[1]
                && place[1] < corner[1] + size[1]
        }
        let names = inside.compactMap { $0.parent?.descendants.first { $0["class"] == "name" }?.text }
        #expect(names == ["photo 0", "photo 1", "photo 2"])
    }

    private func place(_ element: XML.Element?) throws -> [Double] {
        let transform = try #require(element?["transform"])
        return try numbers(transform.split { "( )".contains($0) }.suffix(2).map(String.init))
    }

    private func numbers(_ texts: [String?]) throws -> [Double] {
        try texts.map { try #require($0.flatMap(Double.init)) }
    }

    @Test("WF-102: pictures are drawn at any time: empty, not started, while it runs, without kept attempts")
    func anyTime() async throws {
        for format in PictureFormat.all { #expect(!Workflow("empty").picture(as: format).isEmpty) }
        let bench = Bench(keptAttempts: 0)
        let task = try bench.add("task")
        _ = try XML.Document(string: bench.workflow.picture(as: .html))
        try bench.workflow.start()
        await bench.awaitBegin(of: task)
        let html = bench.workflow.picture(as: .html)
        #expect(html.contains("Executing") && html.contains("keptAttempts"))
        #expect(bench.workflow.report().attempts.isEmpty)
        task.finish()
    }

    @Test("WF-102: a format is found by its name and file extension")
    func formats() {
        #expect(PictureFormat(named: "HTML") == .html && PictureFormat(named: "mmd") == .mermaid)
        #expect(PictureFormat(named: "json") == .trace && PictureFormat(named: "png") == nil)
        #expect(PictureFormat.svg.description == "svg" && Set(PictureFormat.all).count == 5)
    }
}
