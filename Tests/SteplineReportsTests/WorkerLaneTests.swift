import Foundation
import SteplineWorkflow
import Testing

@testable import SteplineReports

/// Workers in reports.
@Suite(.timeLimit(.minutes(5)))
struct WorkerLaneTests {
    /// A graph of one task for each attempt: by whom, and from when to when.
    private func graph(_ attempts: [(worker: String?, begin: Int64, end: Int64)]) throws -> WorkflowGraph {
        let workflow = Workflow("pages")
        for number in attempts.indices { try workflow.add("page \(number)") {} }
        var graph = workflow.graph()
        for (number, attempt) in attempts.enumerated() {
            let isFailed = number == 1
            graph.tasks[number].attempts = [
                AttemptRecord(
                    task: RunReport.TaskName(id: graph.tasks[number].id, name: "page \(number)"),
                    number: 1,
                    begin: Date(timeIntervalSinceReferenceDate: 0),
                    end: Date(timeIntervalSinceReferenceDate: 1),
                    ending: isFailed ? .failed : .finished, error: nil, waits: [], worker: attempt.worker,
                    beginTime: attempt.begin, endTime: attempt.end)
            ]
        }
        return graph
    }

    @Test("each worker has a lane of when it was busy, in the order of their names; without workers none")
    func lanes() throws {
        let graph = try graph([
            ("b/2#1", 0, 100), ("a/1#1", 50, 150), ("b/2#1", 80, 120), ("b/2#1", 180, 200),
        ])
        let all = try #require(WorkerShares(graph))
        let shares = all.shares.map { "\($0.worker): \($0.attempts) attempts, \($0.failures) failed" }
        #expect(shares == ["a/1#1: 1 attempts, 1 failed", "b/2#1: 3 attempts, 0 failed"])
        #expect(all.span == 0..<200)
        #expect(all.shares[1].busy == [0..<120, 180..<200])
        #expect(all.shares[1].work == 160)
        #expect(all.lanes(of: all.shares[1], width: 600) == [0..<360, 540..<600])
        let page = PictureFormat.html.draw(graph)
        #expect(page.contains("<h2>Workers</h2>"))
        #expect(page.contains("<path d=\"M0 0h360v10H0zM540 0h60v10H540z\"/>"))
        let alone = try self.graph([(nil, 0, 100)])
        #expect(WorkerShares(alone) == nil && !PictureFormat.html.draw(alone).contains("Workers"))
    }

    @Test("attempts closer together than a pixel are one bar, and each bar is wide enough to be seen")
    func merged() throws {
        var attempts: [(worker: String?, begin: Int64, end: Int64)] = []
        for number: Int64 in 0..<1000 { attempts.append(("a", number * 10, number * 10 + 1)) }
        attempts.append(("a", 1_000_000, 1_000_000))
        let graph = try graph(attempts)
        let all = try #require(WorkerShares(graph))
        #expect(all.lanes(of: all.shares[0], width: 600) == [0..<6, 599..<600])
    }
}
