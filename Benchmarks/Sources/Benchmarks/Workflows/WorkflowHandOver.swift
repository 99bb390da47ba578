import Foundation
import Stepline
import Synchronization

/// How soon a dependent begins on another worker than the one whose body has made it ready.
enum WorkflowHandOver: Benchmark {
    static let name = "workflow-hand-over"
    static let summary =
        "from a body's end to the begin of a dependent's body on another of two workers, bodies of 20 µs"

    private enum Contender: CaseIterable { case ours, oneTBB }

    private static let diamonds = Sizes.of(4000, atLeast: 20)
    private static let length: UInt64 = 20_000
    private static let rival = Rival(
        "handover", header: "oneapi/tbb/flow_graph.h", library: "tbb", package: "oneTBB")

    static func run() throws -> [Finding] {
        let turns = try Turns(rounds: 7, of: Contender.allCases) { contender in
            switch contender {
            case .ours: try measure()
            case .oneTBB: rival.numbers(["\(diamonds)", "\(length)", "2"])
            }
        }
        func micros(_ contender: Contender, _ figure: Int) -> Double? {
            turns.median(contender, figure).map { $0 / 1000 }
        }
        func percent(_ contender: Contender) -> Double? { turns.median(contender, 2).map { $0 * 100 } }
        return [
            Finding(
                "p50", micros(.ours, 0) ?? .nan, "µs", rival: "oneTBB, µs", rivalValue: micros(.oneTBB, 0)),
            Finding(
                "p99", micros(.ours, 1) ?? .nan, "µs", rival: "oneTBB, µs", rivalValue: micros(.oneTBB, 1)),
            Finding(
                "dependents that begin on another worker", percent(.ours) ?? 0, "%", rival: "oneTBB, %",
                rivalValue: percent(.oneTBB)),
        ]
            + [
                Finding("p50, of oneTBB's", ratio: turns.ratio(.ours, to: .oneTBB, 0), atMost: 1.5),
                Finding("p99, of oneTBB's", ratio: turns.ratio(.ours, to: .oneTBB, 1), atMost: 3),
            ].compactMap { $0 }
    }

    /// A diamond is a top and two sides; the next one's top waits for both sides.
    private static func measure() throws -> [Double] {
        let workflow = GraphWorkflow.make(workers: 2)
        var bodies: [Body] = []
        var refs: [TaskRef<Void>] = []
        for index in 0..<3 * diamonds {
            let body = Body()
            let before = index % 3 > 0 ? [index - index % 3] : index > 0 ? [index - 2, index - 1] : []
            refs.append(
                try workflow.add("", following: before.lazy.map { refs[$0] }) { body.run(length) })
            bodies.append(body)
        }
        GraphWorkflow.runToEnd(workflow)
        let samples = bodies.indices.compactMap { index -> Double? in
            let top = bodies[index - index % 3]
            guard index % 3 > 0, bodies[index].thread != top.thread else { return nil }
            return Double(bodies[index].begin.time) - Double(top.end.time)
        }
        guard !samples.isEmpty else { return [] }
        return [
            percentile(samples, 0.5), percentile(samples, 0.99), Double(samples.count) / Double(2 * diamonds),
        ]
    }

    /// The record of a body, read after the run.
    private final class Body: Sendable {
        let begin = Stamp()
        let end = Stamp()
        private let ran = Atomic<Int>(0)

        var thread: Int { ran.load(ordering: .relaxed) }

        func run(_ length: UInt64) {
            begin.take()
            ran.store(pthread_self().hashValue, ordering: .relaxed)
            spin(nanoseconds: length)
            end.take()
        }
    }
}
