import Foundation
import SteplineJSON
import SteplineReports
import SteplineWorkflow
import TestSupport
import Testing

/// User actions on the report of a large run, by a script in a browser.
@Suite(
    "HTML reports of very many tasks in a browser", .serialized, .timeLimit(.minutes(5)), .soakOnly,
    .enabled(if: Browser.isNeeded, Browser.absence))
struct ExplorerTests {
    @Test("WF-111: 50,000 tasks are shown at once, searched, filtered, sorted, zoomed; by keyboard, too")
    func fiftyThousand() async throws {
        let count = 50_000
        let html = try await LargeRun.mixed(count).picture(as: .html)
        let block = try ReportBlock(html)
        if let file = Browser.kept("fifty-thousand.html") { try Data(html.utf8).write(to: file) }
        #expect(html.utf8.count < count * 160, "\(html.utf8.count / count) bytes a task")
        let few = try await LargeRun.mixed(700).picture(as: .html)
        var times: [(small: Double, large: Double)] = []
        // Where other tests run beside it, a page of few tasks takes longer, too. What runs beside it changes:
        // a page is held against the one just before it, and gets some more tries where none was in time.
        func isQuick() -> Bool { times.contains { $0.large < max(1000, 8 * $0.small) } }
        for isDark in [false, true, false, true, false] where times.count < 2 || !isQuick() {
            let small = try await PageProbe(
                few, width: 1280, height: 1800, isDark: isDark, picture: nil, script: Self.opening)
            let picture = Browser.kept("fifty-thousand-\(isDark ? "dark" : "light").png")
            let probe = try await PageProbe(
                html, width: 1280, height: 1800, isDark: isDark, picture: picture, script: Self.opening)
            let time = try probe.number("shown")
            print("the report of \(count) tasks was shown \(Int(time)) ms after its page was asked for")
            times.append((try small.number("shown"), time))
            #expect(try probe.number("lines") < 60)
            #expect(probe.findings["count"]?.string == "50\u{2009}000 tasks")
            #expect(probe.findings["rowCount"]?.string == "50001")
            for canvas in ["bars", "axis"] {
                #expect(try probe.number(canvas) > 0, "\(canvas)")
            }
        }
        #expect(isQuick(), "ms of 700 tasks and of \(count): \(times)")
        let probe = try await PageProbe(
            html, width: 1280, height: 1000, isDark: false, picture: Browser.kept("fifty-thousand-used.png"),
            script: ExplorerScripts.using)
        try search(probe, block)
        try filters(probe, block)
        try order(probe, block)
        try zoom(probe)
        try keyboard(probe, block)
    }

    private func search(_ probe: PageProbe, _ block: ReportBlock) throws {
        let names = try block.names()
        #expect(try probe.texts("searched") == names.filter { $0.contains("feed 4321") && $0.contains("st") })
        let failed = try block.states().filter { $0 == "Failed" }.count
        let texts = [
            "slash": "search", "byError": "\(failed) of 50\u{2009}000 tasks",
            "noSuch": "0 of 50\u{2009}000 tasks", "cleared": "50\u{2009}000 tasks", "afterEscapes": "grid",
        ]
        for (name, text) in texts { #expect(probe.findings[name]?.string == text, "\(name)") }
        #expect(probe.findings["nothingHidden"]?.bool == false)
    }

    private func filters(_ probe: PageProbe, _ block: ReportBlock) throws {
        let states = try block.states()
        for (name, word) in [("failed", "Failed"), ("blocked", "Blocked")] {
            let count = states.filter { $0 == word }.count
            #expect(count > 100)
            let reported = probe.findings[name]
            #expect(reported?["count"]?.string?.filter { $0 != "\u{2009}" }.hasPrefix("\(count) of") == true)
            #expect(reported?["pressed"]?.string == "true")
            let seen = try #require(reported?["states"]?.array).compactMap(\.string)
            #expect(!seen.isEmpty && Set(seen) == [word])
        }
        #expect(probe.findings["unfiltered"]?.string == "50\u{2009}000 tasks")
        let critical = try block.tasks().filter { $0["critical"]?.bool == true }.count
        let reported = probe.findings["critical"]?.string?.filter { $0 != "\u{2009}" }
        #expect(reported == "\(critical) of 50000 tasks")
    }

    private func order(_ probe: PageProbe, _ block: ReportBlock) throws {
        let names = try block.names()
        let attempts = try block.tasks().map { block.attempts($0) }
        let took = attempts.map { $0.reduce(0) { $0 + $1[2] } }
        let ran = names.indices.filter { !attempts[$0].isEmpty }
        let longest = ran.sorted { (-took[$0], $0) < (-took[$1], $1) }.map { names[$0] }
        let seen = try probe.texts("longest")
        #expect(seen.count > 10 && seen == Array(longest.prefix(seen.count)))
        let shortest = try probe.texts("shortest")
        // Tasks that haven't run come last in both orders.
        #expect(shortest.first.map { took[names.firstIndex(of: $0) ?? 0] } == ran.map { took[$0] }.min())
        #expect(try probe.texts("ariaSort") == ["descending", "ascending", "none"])
        #expect(try probe.texts("byName").first == "announce feed 0")
    }

    private func zoom(_ probe: PageProbe) throws {
        for name in ["wholeWindow", "chosenByDrag", "zoomedOut"] {
            #expect(probe.findings[name]?.string == "", "\(name)")
        }
        for name in ["keyZoom", "dragZoom", "taskZoom", "moved"] {
            #expect(probe.findings[name]?["window"]?.string?.contains(" – ") == true, "\(name)")
            #expect(probe.findings[name]?["changed"]?.bool == true, "\(name)")
        }
        #expect(probe.findings["chosenByClick"]?.string?.isEmpty == false)
    }

    private func keyboard(_ probe: PageProbe, _ block: ReportBlock) throws {
        let names = try block.names()
        let chosen = try probe.texts("chosen")
        // Down, down, up, then the last, the first, and a page.
        #expect(chosen.prefix(5) == ["0", "1", "0", "\(names.count - 1)", "0"])
        let page = try #require(chosen.last.flatMap { Int($0) })
        #expect(page > 5 && page < 60)
        let failed = try #require(try block.states().firstIndex(of: "Failed"))
        let details = try #require(probe.findings["details"]?.string)
        #expect(details.contains(names[failed]) && details.contains("the disk is full"))
        #expect(details.contains("Attempts") && details.contains("After") && details.contains("Before"))
        #expect(probe.findings["linked"]?.string == names[failed - 1])
        #expect(try probe.texts("focus") == ["details", "grid"])
        #expect(probe.findings["scrolled"]?.bool == true)
        #expect(try probe.number("lines") < 60)
    }

    @Test("WF-111: a report of some hundred tasks, or of none that has run, is shown alike")
    func others() async throws {
        let middle = try await LargeRun.mixed(500).picture(as: .html)
        let plain = Workflow("not started")
        for number in 0..<40 { try plain.add("task \(number)") {} }
        let pages = [("five-hundred", middle, 500), ("not-started", plain.picture(as: .html), 40)]
        for (name, html, count) in pages {
            for isDark in [false, true] {
                let picture = Browser.kept("\(name)-\(isDark ? "dark" : "light").png")
                let probe = try await PageProbe(html, width: 1280, isDark: isDark, picture: picture)
                #expect(probe.findings["count"]?.string == "\(count) tasks")
                #expect(try probe.number("cards") == Double(count))
                for fault in ["faint", "cut", "outside"] {
                    let texts = try probe.texts(fault)
                    #expect(texts == [], "\(fault) in \(name): \(texts)")
                }
            }
        }
    }

    @Test("WF-111: a graph of 700 tasks with groups and with workflows inside is drawn as marks")
    func nested() async throws {
        let workflow = Workflow("nested")
        let first = try workflow.add(WorkflowTask(name: "first"))
        for place in 0..<40 {
            let inside = Workflow("inside \(place)")
            var last: [WorkflowTask] = []
            for step in 0..<10 {
                last = [try inside.add(WorkflowTask(name: "step \(step)"), prerequisites: last)]
            }
            try workflow.add(
                SubworkflowTask(name: "outer \(place)", subworkflow: inside), prerequisites: [first])
        }
        let group = workflow.group("photos")
        for number in 0..<259 { try group.add(WorkflowTask(name: "photo \(number)"), prerequisites: [first]) }
        let html = workflow.picture(as: .html)
        let picture = Browser.kept("nested.png")
        let probe = try await PageProbe(
            html, width: 1280, height: 2000, isDark: false, picture: picture, script: Self.opening)
        #expect(probe.findings["count"]?.string == "700 tasks")
        #expect(html.contains("class=\"graph\""))
        #expect(try probe.texts("names").prefix(3) == ["first", "outer 0", "outer 0 › step 0"])
    }

    /// The state of a page of very many tasks when it has loaded.
    private static let opening = #"""
        function look() {
            const begin = performance.now();
            page.body.getBoundingClientRect();
            const layout = performance.now() - begin;
            return {
                shown: view.performance.getEntriesByName("stepline-shown")[0].startTime + layout,
                lines: all("#space .row").length, count: one("#count").textContent,
                rowCount: one("#grid").getAttribute("aria-rowcount"),
                names: all("#space bdi").map((name) => name.textContent),
                bars: drawn(one("#bars")), axis: drawn(one("#axis")),
            };
        }
        """#
}
