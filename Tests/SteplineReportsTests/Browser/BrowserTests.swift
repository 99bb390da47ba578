import Foundation
import SteplineJSON
import SteplineReports
import SteplineWorkflow
import SteplineXML
import Testing

/// Serialized, as a browser is many processes already.
@Suite(
    "HTML reports in a browser", .serialized, .timeLimit(.minutes(10)),
    .enabled(if: Browser.isWanted, Browser.absence))
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

    @Test("WF-103: without scripts the browser shows the page as it is: how it went, and what went wrong")
    func asItIs() async throws {
        for run in Run.allCases {
            let workflow = try await run.workflow
            let html = workflow.picture(as: .html)
            let probe = try await PageProbe(
                html, width: 1280, isDark: false, picture: picture("\(run)-plain"), hasScripts: false,
                script: Self.listing)
            let written = try XML.Document(string: html)
            #expect(try probe.texts("elements") == written.elements.map(\.name))
            #expect(probe.findings["heading"]?.string == workflow.name)
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

    @Test("WF-103: the page's script says nothing on the console, and asks for nothing")
    func silent() async throws {
        for run in Run.allCases {
            let html = try await run.workflow.picture(as: .html)
            let visit = try await Browser().open(html)
            #expect(visit.console == [] && visit.requests == [])
            let page = try XML.Document(html: Data(visit.page.utf8))
            #expect(page.elements.first { $0["id"] == "explorer" }?["hidden"] == nil)
        }
    }

    @Test("a page that does ask, or has a script that fails, is found out, and the policy forbids both")
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

    @Test(
        "WF-102, WF-103: in light and dark and on a narrow page all is drawn, readable and inside its place",
        arguments: Run.allCases, [1280, 400])
    func looks(run: Run, width: Int) async throws {
        let workflow = try await run.workflow
        let html = workflow.picture(as: .html)
        var grounds: Set<String> = []
        for isDark in [false, true] {
            let name = "\(run)-\(width)-\(isDark ? "dark" : "light")"
            let probe = try await PageProbe(html, width: width, isDark: isDark, picture: picture(name))
            #expect(probe.findings["dark"]?.bool == isDark)
            #expect(try probe.number("width") == Double(width))
            grounds.insert(try #require(probe.findings["ground"]?.string))
            #expect(probe.findings["heading"]?.string == workflow.name)
            let title = workflow.name + (run == .finished ? ": finished" : ": failed")
            #expect(probe.findings["title"]?.string == title)
            #expect(try probe.number("scripts") == 2)

            let sections = try probe.texts("sections")
            let wanted = ["graph", "tasks", "critical-path"]
            #expect(sections == (run == .finished ? wanted : ["failures"] + wanted))
            let names = try probe.texts("names")
            let own = workflow.allTasks.map(\.name)
            #expect(run == .finished ? names == own : Set(names).isSuperset(of: own))
            #expect(try probe.number("cards") == Double(names.count))
            for canvas in ["bars", "overview", "axis"] { #expect(try probe.number(canvas) > 0, "\(canvas)") }
            // As the rest of the page writes them.
            let took = ["2.00 s"] + (run == .finished ? ["1.00 s", "3.00 s"] : ["3.50 s", "1.50 s", "0 s"])
            #expect(try Array(probe.texts("took").prefix(took.count)) == took)
            #expect(try probe.number("marks") == 0, "marks that nothing is drawn for")

            #expect(try probe.number("wholeWidth") <= Double(width), "the page as a whole scrolls sideways")
            for fault in ["faint", "cut", "outside"] {
                let texts = try probe.texts(fault)
                #expect(texts == [], "\(fault) in \(name): \(texts)")
            }
        }
        #expect(grounds == ["rgb(250, 249, 247)", "rgb(21, 23, 26)"])
    }

    private func picture(_ name: String) -> URL? { Browser.kept("\(name).png") }
}
