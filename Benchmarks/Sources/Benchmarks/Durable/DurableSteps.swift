import Dispatch
import Foundation
import Stepline
import SteplineRuns

/// Measures the cost of each kept step of a run.
enum DurableSteps: Benchmark {
    static let name = "durable-steps"
    static let summary = "runs kept in SQLite, beside the plain run and beside SQLite by hand"

    private enum Contender: CaseIterable {
        case plain, kept, bare
        case chainPlain, chainNormal, chainFull, bareNormal, bareFull
    }

    private static let wide = Sizes.of(100_000)
    private static let long = Sizes.of(2_000)

    static func run() throws -> [Finding] {
        let turns = try Turns(rounds: 5, of: Contender.allCases) { try [time($0)] }
        func step(_ name: String, _ contender: Contender, _ rival: String, _ other: Contender) -> Finding {
            Finding(
                name, (turns.median(contender) ?? .nan) / 1000, "µs", rival: rival,
                rivalValue: turns.median(other).map { $0 / 1000 })
        }
        let bounded: [Finding?] = [
            Finding(
                "a step of a wide graph, of prepared inserts by hand, 1,000 in a transaction",
                ratio: turns.ratio(Contender.kept, to: .bare), atMost: 3.5),
            Finding(
                "a level of a chain with .full, of a bare commit",
                ratio: turns.ratio(Contender.chainFull, to: .bareFull), atMost: 1.6),
            Finding(
                "a level of a chain with .normal, of a bare commit",
                ratio: turns.ratio(Contender.chainNormal, to: .bareNormal), atMost: 2.5),
        ]
        return [
            step("a step of a wide graph, kept", .kept, "not kept, µs", .plain),
            step("a level of a chain, .normal", .chainNormal, "a bare commit, µs", .bareNormal),
            step("a level of a chain, .full", .chainFull, "a bare commit, µs", .bareFull),
        ] + bounded.compactMap(\.self)
    }

    /// Nanoseconds a step.
    private static func time(_ contender: Contender) throws -> Double {
        let folder = FileManager.default.temporaryDirectory.appending(path: "durable-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "bench.runs").path
        switch contender {
        case .plain: return try time(wide, isChain: false, nil)
        case .kept: return try time(wide, isChain: false, .file(path, durability: .normal))
        case .chainPlain: return try time(long, isChain: true, nil)
        case .chainNormal: return try time(long, isChain: true, .file(path, durability: .normal))
        case .chainFull: return try time(long, isChain: true, .file(path))
        case .bare: return try bare(wide, inGroupsOf: 1_000, BareDatabase(path, isFull: false))
        case .bareNormal: return try bare(long, inGroupsOf: 1, BareDatabase(path, isFull: false))
        case .bareFull: return try bare(long, inGroupsOf: 1, BareDatabase(path, isFull: true))
        }
    }

    private static func bare(_ count: Int, inGroupsOf size: Int, _ database: BareDatabase) throws -> Double {
        try nanoseconds { try database.write(count, inGroupsOf: size) } / Double(count)
    }

    private static func time(_ count: Int, isChain: Bool, _ store: SQLiteRunStore?) throws -> Double {
        let workflow = Workflow("bench")
        var last: TaskRef<Int>?
        for number in 0..<count {
            if isChain, let before = last {
                last = try workflow.add("task \(number)", after: before) { $0 + 1 }
            } else {
                last = try workflow.add("task \(number)") { number }
            }
        }
        let done = DispatchSemaphore(value: 0)
        let time = nanoseconds {
            Task {
                if let store {
                    _ = try? await workflow.run(in: store, key: "k")
                } else {
                    _ = await workflow.outcome()
                }
                done.signal()
            }
            done.wait()
        }
        guard workflow.taskCount(in: .finished) == count else { throw NotDone() }
        return time / Double(count)
    }

    private struct NotDone: Error {}
}
