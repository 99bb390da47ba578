import Foundation
import SteplineJSON
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

@testable import SteplineCommand

/// A few lines can neither run for hours, nor fill the memory, nor go on when nobody wants them.
@Suite("Workflow files: the bounds of expressions", .timeLimit(.minutes(5)))
struct ExpressionBoundTests {
    /// Steps that make a text of so many times eight.
    private static func text(_ times: Int) -> String {
        "{value: '\(String(repeating: "x", count: 100))'}"
            + String(repeating: ", {transform: 'it+it+it+it+it+it+it+it'}", count: times)
    }

    /// A task that makes a list of ten to the power of so much.
    private static func list(_ power: Int) -> String {
        "list: {steps: [{value: [0,1,2,3,4,5,6,7,8,9]}"
            + String(
                repeating: ", {transform: 'flatten([it,it,it,it,it,it,it,it,it,it])'}", count: power - 1)
            + "]}"
    }

    private func evaluate(_ text: String, _ budget: ExpressionBudget) throws -> JSON {
        let list = try JSON(parsing: "[[1,2,3,4,5,6,7,8,9,10],'x']".replacing("'", with: "\""))
        let evaluator = ExpressionEvaluator(budget: budget) { $0 == .it ? list : .null }
        return try evaluator.value(of: ExpressionParser.parse(FlowText(text, start: 0)))
    }

    @Test("split checks the number of parts, and replace the length, before making them")
    func parts() throws {
        let text = JSON(String(repeating: ",", count: 5_000_000))
        for (call, words) in [
            ("split(it, ',')", "the list of parts would be too large"),
            ("replace(it, ',', '\(String(repeating: "y", count: 20))')", "the text would be too long"),
        ] {
            let evaluator = ExpressionEvaluator { _ in text }
            let error = #expect(throws: ExpressionError.self) {
                _ = try evaluator.value(of: ExpressionParser.parse(FlowText(call, start: 0)))
            }
            #expect(error?.message.hasSuffix("(): \(words)") == true)
        }
    }

    @Test(
        "parse refuses more lines or rows than its bound, and counts no blank ones",
        arguments: [
            (FlowFormat.jsonl, "1\n\n2\n3\n"), (FlowFormat.csv, "a\n1\n2\n3\n"),
            (FlowFormat.tsv, "a\n1\n2\n3\n"),
        ])
    func records(format: FlowFormat, text: String) throws {
        let value = FlowValue.bytes(Data(text.utf8), FlowOrigin(charset: "UTF-8"))
        _ = try format.parse(value, mostRecords: 3)
        let error = #expect(throws: FlowError.self) { _ = try format.parse(value, mostRecords: 2) }
        #expect(error?.description.hasPrefix("more than 2 records") == true)
    }

    @Test("parse reads JSON Lines with a byte order mark and CRLF, and names the line of an error")
    func lines() throws {
        func parse(_ text: String) throws -> JSON {
            let value = FlowValue.bytes(Data(text.utf8), FlowOrigin(charset: "UTF-8"))
            return try FlowFormat.jsonl.parse(value).forFormulas()
        }
        #expect(try parse("\u{FEFF}1\r\n\r\n2\r\n") == [1, 2])
        let error = #expect(throws: FlowError.self) { _ = try parse("1\n\n{\n") }
        #expect(error?.description.hasPrefix("line 3: ") == true)
    }

    @Test("the regular expressions of a step share their steps, and those of a large pattern's tables")
    func patterns() throws {
        let budget = ExpressionBudget()
        let evaluator = ExpressionEvaluator(budget: budget) { _ in JSON("aaaa") }
        let parsed = try ExpressionParser.parse(FlowText("matches(it, '(?:a?){1000}b')", start: 0))
        try budget.patternSteps.spend(PatternSteps.standard - 100_000)
        let error = #expect(throws: ExpressionError.self) {
            for _ in 0..<100 { _ = try evaluator.value(of: parsed) }
        }
        #expect(error?.message.contains("too much work") == true)
        #expect(throws: FlowFunction.Misuse.self) {
            let program = try PatternParser.read("(?:a?){1000}b")
            let steps = PatternSteps(1000)
            for _ in 0..<10 { _ = try PatternMatcher(program, [], steps) }
        }
    }

    @Test("the elements of maps inside maps are bounded together, and an overflow isn't let through")
    func elements() throws {
        let room = FlowRunRoom(limit: 1 << 20)
        try room.take(elements: 100, tasks: nil)
        try room.take(elements: 10, tasks: 3)
        let error = #expect(throws: FlowError.self) { try room.take(elements: 100, tasks: 1) }
        #expect(
            error?.description
                == "the elements of all maps of a run may take 1 MiB together: this map has 100")
        #expect(throws: FlowError.self) { try room.take(elements: .max, tasks: nil) }
    }

    @Test("cancelling a step ends its expression over elements")
    func cancelled() throws {
        let isCancelled = Locked(false)
        let budget = ExpressionBudget {
            if isCancelled.withLock({ $0 }) { throw CancellationError() }
        }
        for _ in 0..<3000 { _ = try evaluate("length(it)", budget) }
        isCancelled.withLock { $0 = true }
        #expect(throws: CancellationError.self) {
            for _ in 0..<3000 { _ = try evaluate("length(it)", budget) }
        }
    }

    @Test("a deadline that passes during an each cancels the step", .inProcessOnly)
    func deadline() async throws {
        let flow = try FlowCommandRun(
            """
            {deadline: '2s', tasks: {
                \(Self.list(4)),
                sums: {after: 'list', steps: [{value: 1}, {save: 'begun'}, {use: 'list'}, {each: 'sum(tasks.list)'}]},
            }}
            """)
        let run = ClockedRun(["run", "flow.json5", "--plain"], in: flow.folder.url)
        try await eventually { try flow.folder.names().contains("begun") }
        run.clock.advance(by: .seconds(2))
        // A step that doesn't end is abandoned after five seconds by this clock, which no longer moves.
        let result = try await run.result(advancingBy: .zero)
        #expect(result.status == 1)
        #expect(result.complaints.contains { $0.contains(" sums cancelled") }, "\(result.errors)")
    }

    @Test("the elements of a step share its budget")
    func made() async throws {
        let run = try FlowCommandRun(
            """
            {tasks: {
                text: {steps: [\(Self.text(4))]},
                \(Self.list(2)),
                each: {after: ['list', 'text'], steps: [{use: 'list'}, {each: "tasks.text + tasks.text + it"}]},
            }}
            """)
        let result = try await run("run", "flow.json5")
        #expect(result.status == 1 && result.errors.contains("the value would be too large"))
    }

    /// A task that makes a text of 3 MB, and takes it many times without making anything.
    private static func taking(_ last: String) -> String {
        "{tasks: {text: {steps: [\(Self.text(5))]}, \(Self.list(2)), last: {after: ['list', 'text'], steps: [\n\(last)]}}}"
    }

    @Test(
        "a value that is taken many times is charged to the budget",
        arguments: [
            "{use: 'list'}, {each: 'tasks.text'}",
            "{transform: '[tasks.text]'}, {select: '$[\(Self.many("0"))]'}",
            "{transform: '{a: tasks.text}'}, {columns: {\(Self.columns)}}",
        ])
    func taken(steps: String) async throws {
        let run = try FlowCommandRun(Self.taking(steps))
        let result = try await run("run", "flow.json5")
        #expect(result.status == 1 && result.complaints.count == 1)
        #expect(result.errors.hasPrefix("stepline: last failed: "))
        #expect(
            result.errors.contains(" (flow.json5:2:")
                && result.errors.contains(": the value would be too large"))
    }

    private static func many(_ word: String) -> String {
        Array(repeating: word, count: 100).joined(separator: ",")
    }
    private static var columns: String { (0..<100).map { "c\($0): '$.a'" }.joined(separator: ",") }

    @Test("as much as a step gets may be taken at no cost, and what formulas have made and paid for")
    func free() throws {
        let text = JSON(String(repeating: "x", count: 1 << 20))
        let list = try JSON(elements: [text, text, text])
        let budget = ExpressionBudget(1 << 19, input: .json(list))
        for _ in 0..<3 { try budget.take(text) }
        #expect(budget.spent == 0 && budget.made >= 3 << 20)
        #expect(throws: ExpressionBudget.Exceeded.self) { try budget.take(text) }
        let paying = ExpressionBudget(2 << 20)
        try paying.spend(copying: text)
        try paying.take(text)
        #expect(paying.spent == ExpressionBudget.size(of: text))
    }

    @Test("a run's budget bounds the computed values that it keeps; values passed on don't count")
    func room() throws {
        let room = FlowRunRoom(limit: 1 << 20)
        let value = FlowValue.json(JSON(String(repeating: "x", count: 1 << 19)))
        for _ in 0..<3 { try room.keep(value, made: 0) }
        // Intermediate values aren't kept.
        try room.keep(value, made: 1 << 24)
        let error = #expect(throws: FlowError.self) { try room.keep(value, made: 1 << 20) }
        #expect(
            error?.description == "the results of a run may take 1 MiB together: end with a smaller value")
        try room.keep(value, made: 100)
    }

    @Test("results of elements are charged in full, also those that no expression made")
    func elementResults() async throws {
        let text = String(repeating: "x", count: 100_000)
        let source = FlowSource(
            name: "/tmp/f", text: "{ tasks: { a: { map: [1, 2, 3], steps: [ { value: '\(text)' } ] } } }")
        var issues = FlowIssues()
        let file = try #require(FlowReader.read(source, &issues))
        let setting = FlowSetting(source: source, folder: FlowFolder(ofFile: "/tmp/f", in: "/tmp"))
        for (limit, isEnough) in [(400_000, true), (250_000, false)] {
            var plan = FlowPlan(file, order: file.tasks, setting: setting)
            plan.places = ConcurrencyPool("jobs", capacity: 1)
            plan.room = FlowRunRoom(limit: limit)
            let workflow = try plan.workflow()
            _ = await workflow.outcome()
            let task = try #require(workflow.allTasks.first)
            #expect((task.state == .finished) == isEnough)
            let words = task.error.map { ErrorText.line($0) } ?? ""
            #expect(words.contains("the results of a run may take") != isEnough, "\(words)")
        }
    }

    @Test(
        "the large values of many tasks or elements together stay within the bound", .soakOnly,
        arguments: ["", "--log-format=json"])
    func results(format: String) async throws {
        let tasks = (0..<30).map {
            "t\($0): {after: 'text', steps: [{transform: '[\(Array(repeating: "tasks.text", count: 18).joined(separator: ","))]'}]},\n"
        }
        let run = try FlowCommandRun(
            "{tasks: {\ntext: {steps: [\(Self.text(5))]},\n\(tasks.joined())}}")
        let words = ["run", "flow.json5", "--jobs=2", "--fail-fast"] + (format.isEmpty ? [] : [format])
        let result = try await Command.run(words, in: run.folder.url, as: .process)
        #expect(result.status == 1)
        #expect(result.errors.contains("the results of a run may take 1024 MiB together"))
        #expect(result.errors.contains(" (flow.json5:"))
    }
}
