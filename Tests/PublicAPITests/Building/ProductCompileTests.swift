import TestSupport
import Testing

/// Each product is one import, and needs no other to be used.
@Suite("Products at compile time", .timeLimit(.minutes(5)), .enabled(if: Compiler.isThere, Compiler.absence))
struct ProductCompileTests {
    @Test("a file that imports one product alone compiles")
    func alone() async throws {
        let files = Self.programs.enumerated().map { number, program in
            Compiler.function("program\(number)", of: "import \(program.product)\n\(program.lines)")
        }
        // By the feature, a file has the members of what it imports itself, and not those of other files' imports.
        let options = ["-parse-as-library", "-enable-upcoming-feature", "MemberImportVisibility"]
        let found = try await #require(Compiler()).errors(in: files, options: options)
        for (program, errors) in zip(Self.programs, found) {
            #expect(errors.isEmpty, "\(program.product): \(errors)")
        }
    }

    @Test("a program that imports one product alone compiles", .soakOnly, arguments: programs)
    func aloneAsProgram(product: String, lines: String) async throws {
        let found = try await #require(Compiler()).errors(in: "import \(product)\n\(lines)")
        #expect(found.isEmpty, "\(found)")
    }

    static let programs: [(product: String, lines: String)] = [
        (
            "SteplinePipeline",
            """
            let options = PipelineOptions(retry: .exponential(attempts: 3), clock: .system)
            let policy: RetryPolicy = .none
            let count = try await Pipeline.run(options: options) {
                BlockStep { "text" }
                BlockStep { (text: String) in text.count }
            }
            print(count, policy, Outcome<Int>.success(1))
            """
        ),
        (
            "SteplineWorkflow",
            """
            let workflow = Workflow("two", options: .init(clock: .system))
            let options = TaskOptions(retry: .constant(attempts: 2, delay: .seconds(1)))
            let one = try workflow.add("one", options: options) { 1 }
            try workflow.add("two", after: one) { $0 + 1 }
            let outcome: Outcome<RunReport> = await workflow.outcome()
            print(outcome, Priority.high)
            """
        ),
        (
            "SteplineManager",
            """
            let handle = TaskManager().add("one") { 1 }
            let subscription: Subscription = handle.onSuccess { print($0) }
            handle.cancel(CancellationReason.requested)
            subscription.cancel()
            """
        ),
        (
            "SteplineRequests",
            """
            let manager = URLTaskManager()
            let state: TaskState? = nil
            let policy: RetryPolicy = .none
            print(manager, state as Any, policy)
            """
        ),
        (
            "SteplineSteps",
            """
            import Foundation
            let json = try await Pipeline.run {
                FileLoadStep(URL(filePath: "/none"))
                JSONParseStep()
            }
            print(json["name"]?.string ?? "", RetryPolicy.none)
            """
        ),
        (
            "SteplineReports",
            """
            let workflow = Workflow("one")
            try workflow.add("one") { 1 }
            print(workflow.picture(as: .mermaid))
            """
        ),
        (
            "SteplineRuns",
            """
            let workflow = Workflow("one")
            try workflow.add("one", options: .init(retry: .none)) { 1 }
            try await workflow.run(in: .memory(), key: "k")
            """
        ),
        ("SteplineJSON", #"print(try JSON(parsing: "[1]")[0]?.int ?? 0)"#),
        ("SteplineXML", #"print(try XML.Document(string: "<a/>").root.name)"#),
        (
            "SteplineTesting",
            """
            let clock = ManualClock()
            let call: Subscription = clock.schedule(after: .seconds(1)) {}
            clock.advance(by: .seconds(1))
            call.cancel()
            """
        ),
    ]
}
