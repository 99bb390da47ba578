import Foundation
import SteplineJSON
import SteplineReports
import SteplineWorkflow
import SteplineXML
import TestSupport
import Testing

/// By default one browser is started, for one page; the others only run in soak.
@Suite(
    "HTML reports in a browser", .serialized, .timeLimit(.minutes(5)),
    .enabled(if: Browser.isNeeded, Browser.absence))
struct BrowserTests {
    enum Run: CaseIterable {
        case finished, rough

        var workflow: Workflow {
            get async throws {
                switch self {
                case .finished: try await BrowserRuns.finished()
                case .rough: try await BrowserRuns.rough()
                }
            }
        }
    }

    /// Opens both runs, wide and narrow, in one browser; in soak, on dark pages as well.
    @Test(
        "WF-102, WF-103: on wide and narrow, light and dark pages all is drawn, readable and in its place",
        arguments: Chance.isSoak ? [false, true] : [false])
    func looks(isDark: Bool) async throws {
        var shown: [(run: Run, workflow: Workflow, page: PageProbe.Page)] = []
        for run in Run.allCases {
            let workflow = try await run.workflow
            let html = workflow.picture(as: .html)
            for width in [1280, 400] { shown.append((run, workflow, .init(html: html, width: width))) }
        }
        let probes = try await PageProbe.open(
            shown.map(\.page), isDark: isDark, picture: picture(isDark ? "dark" : "light"))
        for (shown, probe) in zip(shown, probes) { try expect(probe, shown.run, shown.workflow, isDark) }
    }

    private func expect(_ probe: PageProbe, _ run: Run, _ workflow: Workflow, _ isDark: Bool) throws {
        let name = "\(run), \(probe.width) pixels"
        #expect(probe.findings["dark"]?.bool == isDark)
        #expect(try probe.number("width") == Double(probe.width))
        let texts = [
            "ground": isDark ? "rgb(21, 23, 26)" : "rgb(250, 249, 247)", "heading": workflow.name,
            "title": workflow.name + (run == .finished ? ": finished" : ": failed"),
        ]
        for (place, text) in texts { #expect(probe.findings[place]?.string == text, "\(place) in \(name)") }
        #expect(try probe.number("scripts") == 2)

        let sections = try probe.texts("sections")
        let expected = ["graph", "tasks", "critical-path"]
        #expect(sections == (run == .finished ? expected : ["failures"] + expected))
        let names = try probe.texts("names")
        let own = workflow.allTasks.map(\.name)
        #expect(run == .finished ? names == own : Set(names).isSuperset(of: own))
        #expect(try probe.number("cards") == Double(names.count))
        for canvas in ["bars", "axis"] { #expect(try probe.number(canvas) > 0, "\(canvas)") }
        // The table writes times as the rest of the page does.
        let took = ["2.00 s"] + (run == .finished ? ["1.00 s", "3.00 s"] : ["3.50 s", "1.50 s", "0 s"])
        #expect(try Array(probe.texts("took").prefix(took.count)) == took)
        #expect(try probe.number("marks") == 0, "marks that nothing is drawn for")

        let whole = try probe.number("wholeWidth")
        #expect(whole <= Double(probe.width), "the page as a whole scrolls sideways")
        for fault in ["faint", "cut", "outside"] {
            let texts = try probe.texts(fault)
            #expect(texts == [], "\(fault) in \(name): \(texts)")
        }
    }

    @Test(
        "WF-103: without scripts the browser shows the elements as written, with result and failures",
        .soakOnly)
    func asItIs() async throws {
        var workflows: [Workflow] = []
        for run in Run.allCases { workflows.append(try await run.workflow) }
        let pages = workflows.map { PageProbe.Page(html: $0.picture(as: .html), width: 1280) }
        let probes = try await PageProbe.open(
            pages, isDark: false, picture: picture("plain"), hasScripts: false, script: Self.listing)
        for (number, run) in Run.allCases.enumerated() {
            let probe = probes[number]
            let written = try XML.Document(string: pages[number].html)
            #expect(try probe.texts("elements") == written.elements.map(\.name))
            #expect(probe.findings["heading"]?.string == workflows[number].name)
            #expect(probe.findings["explorer"]?.string == "none" && probe.findings["note"]?.string != "none")
            let text = try #require(probe.findings["text"]?.string)
            for word in ["Critical path", run == .rough ? "no access to" : "Finished"] {
                #expect(text.contains(word), "\(word)")
            }
        }
    }

    private static let listing = #"""
        function look() {
            const display = (where) => view.getComputedStyle(one(where)).display;
            return {
                elements: [...all("*")].map((element) => element.localName), heading: one("h1").textContent,
                explorer: display("#explorer"), note: display("#tasks noscript p"), text: page.body.innerText,
            };
        }
        """#

    @Test("WF-103: the page's script logs nothing and requests nothing", .soakOnly)
    func silent() async throws {
        for run in Run.allCases {
            let html = try await run.workflow.picture(as: .html)
            let visit = try await Browser().open(html)
            #expect(visit.console == [] && visit.requests == [])
            let page = try XML.Document(html: Data(visit.page.utf8))
            #expect(page.elements.first { $0["id"] == "explorer" }?["hidden"] == nil)
        }
    }

    @Test(
        "requests and failing scripts of a page are noticed, and the report's policy forbids both", .soakOnly)
    func canary() async throws {
        let bait = """
            <link rel="stylesheet" href="https://canary.example/a.css"><img src="http://canary.example/b.png">
            <style>p{background:url(https://canary.example/c.png)}</style><p>text</p>
            <script>fetch("https://canary.example/d").catch(() => {}); missing()</script>
            """
        let visit = try await Browser().open("<!DOCTYPE html><html><head></head><body>\(bait)</body></html>")
        #expect(visit.console.contains { $0.contains("Uncaught ReferenceError") })
        let asked = Set(visit.requests.compactMap { URL(string: $0)?.lastPathComponent })
        #expect(asked == ["a.css", "b.png", "c.png", "d"])

        let html = try await BrowserRuns.finished().picture(as: .html)
            .replacingOccurrences(of: "<main>", with: bait + "<main>")
        let guarded = try await Browser().open(html)
        #expect(guarded.requests == [])
        #expect(guarded.console.count >= 4)
        #expect(guarded.console.allSatisfy { $0.contains("Content Security Policy") })
    }

    private func picture(_ name: String) -> URL? { Browser.kept("\(name).png") }
}
