import Foundation
import SteplineJSON
import SteplineRunsTesting
import SteplineTesting
import SteplineWorkflow
import Testing

@testable import SteplineRuns

@Suite("Following a run of another process", .timeLimit(.minutes(5)))
struct FollowingTests {
    private let clock = ManualClock()
    private let written = Recorder<String>()
    private let guide = RunsGuide {
        "go on with \($0.id.key)"
    } retry: {
        "retry \($0.id.key)"
    } cancel: {
        "cancel \($0.id.key)"
    }

    private func runs(_ store: any RunStore, isJSON: Bool = false) -> StoredRuns {
        StoredRuns(store, of: nil, isJSON: isJSON, guide: guide, now: moment())
    }

    /// Follows the run on a clock that stands; what it writes is recorded.
    private func follow(_ store: any RunStore, isJSON: Bool = false) -> Task<RunsAnswer, any Error> {
        let (runs, clock, written) = (runs(store, isJSON: isJSON), clock, written)
        return Task {
            try await runs.follow(RunID.test.key, by: clock) { written.record(String($0.dropLast())) }
        }
    }

    /// Lets whoever follows look again.
    private func look() async {
        await clock.waitForScheduled()
        clock.advance(by: StoredRuns.pause)
    }

    @Test("DR-61: following a run that waits for its first process goes on until that process ends it")
    func waits() async throws {
        let store = MemoryRunStore()
        #expect(store.create(.test, input: nil, by: .test(9), at: moment()))
        let following = follow(store)
        await written.waitForCount(1)
        #expect(written.values == ["\(RunID.test): waiting, 0 steps finished, 0 failed"])
        await look()
        let run = try store.openTest()
        try run.finish("a", Data("1".utf8))
        await look()
        // The follower has read the step, and sleeps.
        await clock.waitForScheduled()
        #expect(written.values.last?.contains(" a finished in ") == true)
        try run.end(.finished, at: moment(3))
        clock.advance(by: StoredRuns.pause)
        let answer = try await following.value
        #expect(answer.code == 0 && answer.output.contains("finished, 1 step finished"))
    }

    @Test("DR-61: following a run shows each step's end and the run's, through the file")
    func toItsEnd() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "follow-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path + "/test.runs"
        let (first, second) = (Gate(), Gate())
        let workflow = Workflow(RunID.test.workflow)
        let a = try workflow.add("a") { () async -> Int in
            await first.wait()
            return 1
        }
        try workflow.add("b", after: a) { (value: Int) async -> Int in
            await second.wait()
            return value + 1
        }
        let store = try SQLiteRunStore(path: path)
        let running = Task { try await workflow.run(in: store, key: RunID.test.key) }
        await first.waitForArrivals()
        let following = follow(try SQLiteRunStore(path: path))
        await written.waitForCount(1)
        #expect(written.values[0] == "\(RunID.test): running, 0 steps finished, 0 failed")
        first.open()
        // The second step begins when the first step's end is kept.
        await second.waitForArrivals()
        await look()
        await clock.waitForScheduled()
        #expect(written.values.contains { $0.contains(" a finished in ") })
        second.open()
        _ = try await running.value
        clock.advance(by: StoredRuns.pause)
        let end = try await following.value
        #expect(written.values.filter { $0.contains(" a finished") }.count == 1)
        #expect(written.values.last?.contains(" b finished in ") == true)
        #expect(end.code == 0)
        #expect(
            end.output == "\(RunID.test): finished, 2 steps finished, 0 failed\nthere is nothing left to do\n"
        )
    }

    @Test("DR-61: a step's failure and its next attempts are printed, and a failed run ends with code 1")
    func failures() async throws {
        let store: any RunStore = .memory()
        let run = try store.openTest()
        func change(_ kind: StepChange.Kind, _ attempt: Int, _ seconds: Double) throws {
            let change = StepChange(kind, of: "page", attempt: attempt, token: 1, at: moment(seconds))
            #expect(try run.write([change]).isEmpty)
        }
        try change(.began, 1, 0)
        let following = follow(store)
        await written.waitForCount(2)
        try change(.waiting(.test, due: moment(60), wait: 59), 1, 1)
        await look()
        await written.waitForCount(3)
        try change(.began, 2, 60)
        await look()
        await written.waitForCount(4)
        try change(.failed(.test), 2, 62)
        try run.end(.failed, at: moment(62))
        await look()
        let end = try await following.value
        let lines = written.values.dropFirst().map { String($0.dropFirst("2026-05-09 12:00:00 ".count)) }
        #expect(
            lines == [
                "page running",
                "page waiting in 1.0 s: the next attempt is due at \(RunsText.date(moment(60))), after: timed out",
                "page running (attempt 2)", "page failed (attempt 2) in 2.0 s: timed out",
            ])
        #expect(end.code == 1 && end.output.hasSuffix("retry \(RunID.test.key)\n"))
    }

    @Test(
        "DR-61: following ends with a message when the run's process is gone", arguments: StoreKind.allCases)
    func interrupted(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            let run = try store.openTest()
            #expect(try run.write([StepChange(.began, of: "a", attempt: 1, token: 1, at: moment())]).isEmpty)
            let following = follow(store)
            await written.waitForCount(2)
            run.close()
            await look()
            let end = try await following.value
            #expect(end.code == 1)
            #expect(
                end.output.split(separator: "\n") == [
                    "\(RunID.test): interrupted, 0 steps finished, 0 failed",
                    "process 42 on host no longer runs it", "to continue: go on with \(RunID.test.key)",
                ])
        }
    }

    @Test("DR-61: with --json there is an object for the run, for each step that changes, and for the end")
    func json() async throws {
        let store: any RunStore = .memory()
        let run = try store.openTest()
        #expect(try run.finish("a"))
        let following = follow(store, isJSON: true)
        await written.waitForCount(2)
        #expect(try run.finish("b"))
        try run.end(.cancelled("enough"), at: moment())
        await look()
        let end = try JSON(parsing: try await following.value.output)
        let lines = try written.values.map { try JSON(parsing: $0) }
        #expect(lines.map { $0["step"]?.string } == [nil, "a", "b"])
        #expect(lines.map { $0["state"]?.string } == ["running", "finished", "finished"])
        #expect(end["state"]?.string == "cancelled" && end["reason"]?.string == "enough")
    }

    @Test("DR-61: the end of an ended run is printed at once, and a run forgotten meanwhile is an error")
    func over() async throws {
        let store: any RunStore = .memory()
        let run = try store.openTest()
        #expect(try run.finish("a"))
        try run.end(.finished, at: moment())
        let end = try await follow(store).value
        #expect(written.count == 1 && end.code == 0)
        let again = try store.openTest()
        let following = follow(store)
        await clock.waitForScheduled()
        again.close()
        #expect(try store.forget(RunID.test))
        await look()
        await #expect(throws: RunsError.self) { try await following.value }
    }

    @Test("DR-61: a store in a file detects changes without reading them")
    func mark() throws {
        try withFolder { folder in
            let path = folder.path + "/test.runs"
            let (mine, others) = (try SQLiteRunStore(path: path), try SQLiteRunStore(path: path))
            var last = try mine.changeMark()
            func hasChanged() throws -> Bool {
                let mark = try mine.changeMark()
                defer { last = mark }
                return mark != last
            }
            var changes = [try hasChanged()]
            let run = try others.openTest()
            changes.append(try hasChanged())
            #expect(try run.finish("a"))
            changes.append(try hasChanged())
            _ = try mine.send(.cancel("x"), to: .test, at: moment())
            changes.append(try hasChanged())
            #expect(try mine.steps().count == 1)
            changes.append(try hasChanged())
            try run.end(.finished, at: moment())
            changes.append(try hasChanged())
            // Reading the steps is no change.
            #expect(changes == [false, true, true, true, false, true])
        }
    }
}
