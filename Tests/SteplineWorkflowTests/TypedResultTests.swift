import SteplineWorkflow
import Testing

@Suite("Typed results", .timeLimit(.minutes(5)))
struct TypedResultTests {
    private class Figure: @unchecked Sendable {
        var corners: Int { 0 }
    }

    private final class Square: Figure, @unchecked Sendable {
        override var corners: Int { 4 }
    }

    private struct Refused: Error, Equatable {
        let number: Int
    }

    @Test func `closures get values, optionals, objects and existentials as results`() async throws {
        let workflow = Workflow("typed")
        let number = try workflow.add("number") { 7 }
        let text = try workflow.add("text") { "a text that takes more than three words of memory" }
        let missing = try workflow.add("missing") { Int?.none }
        let figure: TaskRef<Figure> = try workflow.add("figure") { Square() }
        let refusal: TaskRef<any Error> = try workflow.add("refusal") { Refused(number: 3) }
        let anything: TaskRef<any Sendable> = try workflow.add("anything") { [1, 2] }
        let nothing = try workflow.add("nothing") {}
        let one = try workflow.add("one", after: text) { $0.count }
        let two = try workflow.add("two", after: number, missing) { ($0, $1) == (7, nil) }
        let all = try workflow.add("all", after: number, figure, refusal, anything, nothing) {
            number, figure, refusal, anything, _ in
            let isRefused = refusal as? Refused == Refused(number: 3)
            return "\(number) \(figure.corners) \(isRefused) \(anything as? [Int] ?? [])"
        }
        _ = try await workflow.run()
        #expect(one.result == 49 && two.result == true && all.result == "7 4 true [1, 2]")
    }

    @Test func `references with a superclass or optional get the result, with another type they fail`()
        async throws
    {
        let workflow = Workflow("typed")
        let square = try workflow.add("square") { Square() }
        let asFigure = try TaskRef(square.task, as: Figure.self)
        let asOptional = try TaskRef(square.task, as: Square?.self)
        let asNumber = try TaskRef(square.task, as: Int.self)
        let corners = try workflow.add("corners", after: asFigure, asOptional) {
            $0.corners + ($1?.corners ?? 0)
        }
        let wrong = try workflow.add("wrong", after: asNumber) { $0 }
        _ = try? await workflow.run()
        #expect(corners.result == 8)
        let error = try #require(wrong.task.error as? WorkflowError)
        #expect(error.code == .wrongType)
    }

    @Test func `reset removes a result, and the next run computes it again`() async throws {
        let workflow = Workflow("typed")
        let source = try workflow.addCondition("source", of: Int.self)
        let double = try workflow.add("double", after: source) { 2 * $0 }
        let sum = try workflow.add("sum", after: double, source) { $0 + $1 }
        source.fulfill(with: 5)
        _ = try await workflow.run()
        #expect(sum.result == 15)
        #expect(throws: WorkflowError.self) { try workflow.add("later") { 0 }.readValue() }
        double.task.reset()
        #expect(sum.result == nil)
        _ = try await workflow.run()
        #expect(sum.result == 15)
    }
}
