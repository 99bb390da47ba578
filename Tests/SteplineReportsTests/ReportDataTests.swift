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
    @Test("WF-102: the page's data says of a run what its report says")
    func complete() async throws {
        let workflow = try await BrowserRuns.rough()
        let block = try ReportBlock(workflow.picture(as: .html))
        let report = workflow.report()
        let names = try block.names()
        let parents = try block.numbers("parent").enumerated().map { $1 == 0 ? nil : $0 - $1 }
        #expect(names.count == 9)
        for name in workflow.allTasks.map(\.name) { #expect(names.contains(name), "\(name)") }
        let inner = try #require(names.firstIndex(of: "inner 'task'"))
        let outer = try #require(parents[inner])
        #expect(parents.compactMap { $0 }.count == 1 && names[outer] == "outer task")

        let places = names.indices.filter { parents[$0] == nil }
        let states = try block.states()
        for (place, task) in zip(places, workflow.allTasks) {
            #expect(names[place] == task.name)
            #expect(task.isFailed == (states[place] == "Failed"))
            #expect(task.isFinished == (states[place] == "Finished"))
        }
        let slacks = try block.numbers("slack")
        let critical = try block.numbers("marks").enumerated().filter { $1 & 1 == 1 }.map { names[$0.offset] }
        #expect(critical == report.criticalPath.map(\.name))
        for (place, task) in zip(places, workflow.allTasks) {
            #expect(slacks[place] == report.slack(of: task).map { nanoseconds($0) } ?? -1, "\(task.name)")
        }
        try attempts(block, report, names)
    }

    private func attempts(_ block: ReportBlock, _ report: RunReport, _ names: [String]) throws {
        let kept = try block.numbers("kept")
        let owners = kept.enumerated().flatMap { Array(repeating: names[$0], count: $1) }
        let numbers = try block.numbers("number")
        let (begins, times) = (try block.sums("begin"), try block.numbers("time"))
        let (endings, words) = (try block.numbers("ending"), try block.texts("endings"))
        let errors = try block.numbers("attemptError")
        let waits = try block.numbers("waits")
        let (causes, waitTimes) = (try block.numbers("cause"), try block.numbers("waitTime"))
        let texts = try block.texts("texts")
        let began = Date(timeIntervalSince1970: Double(try #require(block.json["began"]?.int)) / 1000)
        var wait = 0
        for place in owners.indices {
            let (name, number) = (owners[place], numbers[place])
            let told = (0..<waits[place]).map { _ in
                defer { wait += 1 }
                return "\(texts[causes[wait]]) \(waitTimes[wait])"
            }
            guard let own = report.attempts.first(where: { $0.task.name == name && $0.number == number })
            else {
                #expect(name == "inner 'task'")
                continue
            }
            #expect(times[place] == nanoseconds(own.duration))
            #expect(words[endings[place]] == own.ending.description)
            let begin = began.addingTimeInterval(Double(begins[place]) / 1e9)
            #expect(abs(begin.timeIntervalSince(own.begin)) < 0.01)
            #expect(told == own.waits.map { "\($0.cause) \(nanoseconds($0.duration))" })
            #expect(try block.error(errors[place]).first == own.error.map { ErrorText.line($0) })
        }
        #expect(owners.count == report.attempts.count + 1)
    }

    private func nanoseconds(_ time: Duration) -> Int {
        Int(time.components.seconds) * 1_000_000_000 + Int(time.components.attoseconds / 1_000_000_000)
    }

    @Test("WF-102: relations stand in the data, with their keys and what they allow")
    func relations() async throws {
        let workflow = Workflow("relations")
        let one = try workflow.add(WorkflowTask(name: "one"))
        let two = try workflow.add(WorkflowTask(name: "two"), prerequisites: [one])
        try workflow.add(
            WorkflowTask(name: "three"), prerequisites: [one], keyedPrerequisites: ["a key": two],
            allowingFailureOf: [one])
        let block = try ReportBlock(workflow.picture(as: .html))
        #expect(try block.numbers("edges") == [0, 1, 2])
        let (froms, kinds, keys) = (
            try block.numbers("from"), try block.numbers("kind"), try block.numbers("key")
        )
        let texts = try block.texts("texts")
        let told = froms.indices.map { place in
            "\(froms[place]) \(kinds[place]) \(keys[place] > 0 ? texts[keys[place] - 1] : "-")"
        }
        #expect(told[0] == "1 0 -" && Set(told[1...]) == ["2 1 -", "1 0 a key"])
        #expect(try block.numbers("begin") == [] && block.json["began"] == nil)
    }

    @Test("WF-103: whatever a name or an error says stays within its text", arguments: hostileNames.indices)
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

    @Test("WF-102: a task takes at most 48 bytes of the data, and its page little more")
    func size() async throws {
        let count = Chance.isSoak ? 20_000 : 2_000
        let html = try await LargeRun.finished(count).picture(as: .html)
        let block = try ReportBlock(html)
        #expect(block.size <= count * 48, "\(Double(block.size) / Double(count)) bytes a task")
        #expect(html.utf8.count - block.size < 200_000)
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
        let errors = try block.numbers("error")
        #expect(errors.count == 1500 && errors.allSatisfy { $0 > 0 })
        for place in [0, 750, 1499] {
            #expect(try block.error(errors[place])[0].hasPrefix("\(place) long long"))
        }
    }
}
