import Foundation
import SteplineJSON
import SteplineReports
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

@Suite("data of HTML reports", .timeLimit(.minutes(5)))
struct ReportDataTests {
    @Test("WF-102: the page's data equals the run's report")
    func complete() async throws {
        let workflow = try await BrowserRuns.rough()
        let block = try ReportBlock(workflow.picture(as: .html))
        let report = workflow.report()
        let (names, tasks) = (try block.names(), try block.tasks())
        #expect(names.count == 9)
        for name in workflow.allTasks.map(\.name) { #expect(names.contains(name), "\(name)") }
        let inside = tasks.indices.filter { tasks[$0]["inside"] != nil }
        #expect(inside.map { names[$0] } == ["inner 'task'"])
        #expect(tasks[inside[0]]["inside"]?.int == names.firstIndex(of: "outer task"))

        let places = names.indices.filter { tasks[$0]["inside"] == nil }
        let states = try block.states()
        for (place, task) in zip(places, workflow.allTasks) {
            #expect(names[place] == task.name)
            #expect(task.isFailed == (states[place] == "Failed"))
            #expect(task.isFinished == (states[place] == "Finished"))
            #expect(
                tasks[place]["slack"]?.int == report.slack(of: task).map { nanoseconds($0) }, "\(task.name)")
        }
        let critical = tasks.indices.filter { tasks[$0]["critical"]?.bool == true }.map { names[$0] }
        #expect(critical == report.criticalPath.map(\.name))
        for task in tasks where task["inside"] == nil { try attempts(of: task, block, report) }
    }

    @Test("WF-89: a page has the cause of each failed element, and of its map how many have failed")
    func elements() async throws {
        struct Broken: Error, CustomStringConvertible { let description = "the page is gone" }
        let body: @Sendable (Int) async throws -> Int = { number in
            if number == 1 { throw Broken() }
            return number
        }
        for overResult in [false, true] {
            let workflow = Workflow()
            let list = try workflow.add("list") { [0, 1, 2] }
            if overResult {
                try workflow.map("page", over: list, body: body)
            } else {
                try workflow.map("page", over: 0..<3) { try await body($0) }
            }
            _ = await workflow.outcome()
            let page = workflow.picture(as: .html)
            #expect(page.contains("1 of 3 elements failed") && page.contains("the page is gone"))
            #expect(!page.contains("element 1 has failed"))
        }
    }

    private func attempts(of task: JSON, _ block: ReportBlock, _ report: RunReport) throws {
        let own = report.attempts.filter { $0.task.name == task["name"]?.string }.sorted {
            $0.number < $1.number
        }
        let began = Date(timeIntervalSince1970: Double(try #require(block.json["began"]?.int)) / 1000)
        let reported = block.attempts(task)
        #expect(reported.map { $0[0] } == own.map(\.number))
        for (numbers, attempt) in zip(reported, own) {
            let begin = began.addingTimeInterval(Double(numbers[1]) / 1e9)
            #expect(abs(begin.timeIntervalSince(attempt.begin)) < 0.01)
            #expect(numbers[2] == nanoseconds(attempt.duration))
            #expect(block.json["endings"]?[numbers[3]]?[0]?.string == attempt.ending.description)
            let error = try block.text(numbers[4])?.components(separatedBy: "\ncaused by: ").first
            #expect(error == attempt.error.map { ErrorText.line($0) })
            let waits = try stride(from: 6, to: numbers.count, by: 2).map { place in
                "\(try block.text(numbers[place]) ?? "") \(numbers[place + 1])"
            }
            #expect(waits == attempt.waits.map { "\($0.cause) \(nanoseconds($0.duration))" })
        }
    }

    private func nanoseconds(_ time: Duration) -> Int {
        Int(time.components.seconds) * 1_000_000_000 + Int(time.components.attoseconds / 1_000_000_000)
    }

    @Test("WF-102: the data has the prerequisites of each task, and no times without kept attempts")
    func relations() async throws {
        let workflow = Workflow("relations")
        let one = try workflow.add(WorkflowTask(name: "one"))
        let two = try workflow.add(WorkflowTask(name: "two"), prerequisites: [one])
        try workflow.add(
            WorkflowTask(name: "three"), prerequisites: [one], keyedPrerequisites: ["a key": two],
            allowingFailureOf: [one])
        let block = try ReportBlock(workflow.picture(as: .html))
        let after = try block.tasks().map { ($0["after"]?.array ?? []).compactMap(\.int) }
        #expect(after.map { $0.sorted() } == [[], [0], [0, 1]])
        #expect(try block.tasks().allSatisfy { $0["ran"] == nil } && block.json["began"] == nil)
    }

    @Test("WF-103: no name and no error breaks out of its text", arguments: hostileNames.indices)
    func escapes(place: Int) async throws {
        let hostile = hostileNames[place] + "</script><!--<script>\u{2028}\u{2029}]]>&amp;"
        let bench = Bench(hostile)
        let task = try bench.add(hostile)
        let key = PrerequisiteKey("key" + String(hostile.prefix(99)))
        try bench.add("x" + hostile, after: [task], keyed: [key: task])
        try bench.workflow.group(hostile).add(WorkflowTask(name: hostile + "x"), prerequisites: [task])
        try bench.workflow.start()
        await bench.awaitBegin(of: task)
        task.fail(with: Broken(text: "error " + hostile))
        let html = bench.workflow.picture(as: .html)
        // Two elements, each ended by what we wrote; nothing else that a browser would take for their end.
        #expect(html.ranges(of: "<script").count == 2 && html.ranges(of: "</script").count == 2)
        #expect(html.ranges(of: "<!--").isEmpty && html.ranges(of: "]]>").count == 1)
        let block = try ReportBlock(html)
        let names = try block.names()
        let scalars = hostile.unicodeScalars.map { isShown($0) ? $0 : "\u{FFFD}" }
        let visible = String(String.UnicodeScalarView(scalars))
        #expect(names == [visible, "x" + visible, visible + "x"])
        let start = try #require(html.range(of: "id=\"run-data\">"))
        let data = html[start.upperBound...].prefix { $0 != "<" }
        #expect(data.unicodeScalars.allSatisfy { !"\u{2028}\u{2029}>&".unicodeScalars.contains($0) })
    }

    private func isShown(_ scalar: Unicode.Scalar) -> Bool {
        let isControl = scalar.properties.generalCategory == .control && !["\t", "\n", "\r"].contains(scalar)
        let turns = (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        return !isControl && !turns && scalar.value & 0xFFFE != 0xFFFE
    }

    @Test("WF-102: a task takes at most 160 bytes of the data, and a page of 2,001 tasks draws none")
    func size() async throws {
        let count = Chance.isSoak ? 20_000 : 2_001
        let html = try await LargeRun.finished(count).picture(as: .html)
        let block = try ReportBlock(html)
        #expect(block.size <= count * 160, "\(Double(block.size) / Double(count)) bytes a task")
        #expect(html.utf8.count - block.size < 200_000)
        #expect(html.contains("draws at most 2000 tasks") && !html.contains("class=\"graph\""))
        #expect(try block.names() == (0..<count).map { "task \($0)" })
    }

    @Test("WF-102: once there are megabytes of errors, the rest of them are shortened")
    func manyErrors() async throws {
        let workflow = Workflow("failures", options: WorkflowOptions(keptAttempts: 1))
        for number in 0..<1500 {
            try workflow.add("\(number)") { () throws -> Int in
                throw Broken(text: "\(number) " + String(repeating: "long ", count: 380))
            }
        }
        _ = await workflow.outcome()
        let block = try ReportBlock(workflow.picture(as: .html))
        // The texts alone are 2.8 million bytes.
        #expect(block.size < 2_600_000)
        let tasks = try block.tasks()
        #expect(tasks.count == 1500)
        for place in [0, 750, 1499] {
            let error = try block.text(tasks[place]["error"]?.int)
            #expect(error?.hasPrefix("\(place) long long") == true)
        }
    }
}
