import Foundation
import SteplineRuns
import SteplineRunsTesting
import SteplineTesting
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Compares the cost of many runs in a store with that of few.
@Suite(.serialized, .timeLimit(.minutes(10)), .soakOnly) struct ManyRunsTests {
    private let few = 1_000
    private let many = 100_000

    /// The time for which this thread was at work, so that it doesn't matter who else is; the best of some.
    private func time(_ rounds: Int = 5, _ body: () throws -> Void) rethrows -> Duration {
        func now() -> Duration {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
        let times = try (0..<rounds).map { _ in
            let start = now()
            try body()
            return now() - start
        }
        return times.min() ?? .zero
    }

    private func store(_ count: Int, in folder: TestFolder) throws -> SQLiteRunStore {
        let store = try SQLiteRunStore(path: folder.path("\(count).runs"), durability: .normal)
        for key in 0..<count {
            let run = try store.openTest(id: RunID("w", key: "\(key)"), input: Data("in".utf8))
            if key % 10 == 0 { try run.end(.finished, at: moment(Double(key))) }
            run.close()
        }
        return store
    }

    @Test func `DR-24, DR-60: a run is found, opened and forgotten as fast among many as among few`() throws {
        let folder = try TestFolder()
        let stores = (try store(few, in: folder), try store(many, in: folder))
        var next = 0
        func compare(_ what: Comment, most: Double, _ body: (SQLiteRunStore) throws -> Void) throws {
            let growth = try time { try body(stores.1) } / time { try body(stores.0) }
            #expect(growth < most, "\(what): \(growth) times")
        }
        // A search through all runs would be ten or a hundred times as slow.
        try compare("find", most: 5) { store in
            for key in 0..<100 { _ = try store.run(RunID("w", key: "\(key * 7)")) }
        }
        try compare("open", most: 5) { store in
            for key in 0..<50 { try store.openTest(2, id: RunID("w", key: "\(key * 11)")).close() }
        }
        try compare("write", most: 5) { store in
            next += 1
            let run = try store.openTest(3, id: RunID("w", key: "500"))
            for step in 0..<50 { try run.finish("\(step)", attempt: next, token: 3) }
            run.close()
        }
        // All of them, by their number: what is quadratic would be at least a hundred times as slow.
        let linear = Double(many / few)
        try compare("list", most: linear * 3) { _ = try $0.runs(of: nil) }
        try compare("list those of one", most: linear * 3) { _ = try $0.runs(of: "w") }
        #expect(try stores.1.runs(of: nil).count == many)
    }
}
