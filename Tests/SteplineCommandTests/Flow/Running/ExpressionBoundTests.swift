import Foundation
import SteplineJSON
import SteplineSupport
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

    @Test(
        "what is looked at counts, all that is compared with what is in it, and the place is told",
        arguments: [
            "sum(it[0])", "it == [it[0], 'x']", "contains(it, 5)", "sort(it)", "unique(it)", "first(it[0])",
            "matches(it[1], 'x|y|z|aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')",
        ])
    func looking(text: String) throws {
        _ = try evaluate(text, ExpressionBudget(visits: 100))
        let error = #expect(throws: ExpressionError.self) {
            _ = try evaluate("true ? \(text) : 0", ExpressionBudget(visits: 12))
        }
        #expect(error?.message.contains("would take too long") == true && (error?.offset ?? 0) > 0)
    }

    @Test("an expression for each element is over when the step is cancelled")
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

    @Test("a run whose deadline is over during an each ends then, and not when what is left is abandoned")
    func deadline() async throws {
        let run = try FlowCommandRun(
            """
            {deadline: '2s', tasks: {
                \(Self.list(5)),
                sums: {after: 'list', steps: [{use: 'list'}, {each: 'sum(tasks.list)'}]},
            }}
            """)
        let begun = ContinuousClock.now
        #expect(try await run("run", "flow.json5").status == 1)
        // What isn't over by itself is abandoned five seconds later.
        #expect(ContinuousClock.now - begun < .seconds(6))
    }

    @Test("a step that would look at billions of values fails soon, with its place")
    func endless() async throws {
        let run = try FlowCommandRun(
            """
            {tasks: {
                text: {steps: [\(Self.text(5))]},
                \(Self.list(4)),
                each: {after: ['list', 'text'], steps: [{use: 'list'},
                    {each: "startsWith(tasks.text, 'y')"}]},
            }}
            """)
        let result = try await run("run", "flow.json5")
        #expect(result.status == 1 && result.complaints.count == 1)
        #expect(result.errors.contains("each (flow.json5:5:17): this would take too long"))
    }

    @Test("elements share what a step may make")
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

    @Test(
        "the elements of a map can't keep gigabytes, whatever runs them",
        arguments: ["", "--log-format=json"])
    func kept(format: String) async throws {
        let run = try FlowCommandRun(
            """
            {tasks: {
                \(Self.list(3)),
                text: {steps: [\(Self.text(4))]},
                map: {map: '${tasks.list}', after: ['list', 'text'], key: 'index', steps: [
                    {transform: '[\(Array(repeating: "tasks.text", count: 8).joined(separator: ","))]'}]},
            }}
            """)
        let words = ["run", "flow.json5"] + (format.isEmpty ? [] : [format])
        let result = try await BuiltCommand.run(words, in: run.folder.url)
        #expect(result.status == 1)
        #expect(result.errors.contains("the results of a map may take 256 MB together"))
        #expect(result.errors.contains("flow.json5:5:"))
    }
}
