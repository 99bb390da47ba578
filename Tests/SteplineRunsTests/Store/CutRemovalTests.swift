import Foundation
import SteplineRunsTesting
import SteplineSupport
import Testing

@testable import SteplineRuns

/// Removals of runs whose process is killed in the middle.
@Suite("Removals that were cut off", .timeLimit(.minutes(5)))
struct CutRemovalTests {
    private static let tables: [StaticString] = [
        "SELECT count(*) FROM steps", "SELECT count(*) FROM history", "SELECT count(*) FROM cached",
        "SELECT count(*) FROM signals", "SELECT count(*) FROM inputs", "SELECT count(*) FROM blobs",
    ]

    /// The order in which a removal empties the tables of a run.
    private static let removals: [StaticString] = [
        "DELETE FROM runs", "DELETE FROM steps", "DELETE FROM history", "DELETE FROM cached",
        "DELETE FROM signals", "DELETE FROM inputs", "DELETE FROM blobs",
    ]

    @Test(
        "DR-33: forget by date removes what a killed removal has left in any table", arguments: 1...7,
        [true, false])
    func rest(count: Int, hasInput: Bool) throws {
        try withFolder { folder in
            let store = try SQLiteRunStore(path: folder.appendingPathComponent("test.runs").path)
            let run = try store.openTest(input: hasInput ? Data("input".utf8) : nil)
            for attempt in 1...2 {
                var change = StepChange(
                    .finished(bytes(hasInput ? 100_000 : 10)), of: "step", attempt: attempt, token: 1,
                    at: moment())
                change.cacheKey = "key"
                #expect(try run.write([change]).isEmpty)
            }
            if hasInput { _ = try store.send(.fulfil(condition: "go", nil), to: .test, at: moment()) }
            try run.end(.finished, at: moment(1))
            // As a kill after so many of the removal's transactions leaves the file.
            try store.connections.write { database in
                for removal in Self.removals.prefix(count) { try database.run(removal) }
            }
            #expect(try store.forget(endedBefore: moment(0)) == 0)
            let left = try store.connections.read { database in
                try Self.tables.map { try database.integer($0) }
            }
            #expect(left == [0, 0, 0, 0, 0, 0])
            let files = try? FileManager.default.contentsOfDirectory(atPath: store.path + "-blobs")
            #expect(files?.isEmpty != false)
        }
    }

    @Test("DR-33: a removal doesn't wait for a reader that keeps the log from being emptied")
    func reader() throws {
        try withFolder { folder in
            let path = folder.appendingPathComponent("test.runs").path
            let store = try SQLiteRunStore(path: path)
            let run = try store.openTest()
            try run.finish("step", bytes(10_000))
            try run.end(.finished, at: moment())
            let reader = try SQLiteRunStore(path: path)
            try reader.connections.read { database in
                try database.snapshot {
                    let count = try database.integer("SELECT count(*) FROM steps")
                    #expect(count == 1)
                    let clock = ContinuousClock()
                    let start = clock.now
                    let isRemoved = try store.forget(.test)
                    #expect(isRemoved)
                    // A writer waits for ten seconds.
                    #expect(clock.now - start < .seconds(5))
                }
            }
        }
    }
}
