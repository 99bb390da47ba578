import Foundation
import RunsTestSupport
import SteplineRuns
import SteplineRunsTesting
import SteplineSupport
import SteplineWorkflow
import Testing

/// Runs that other processes change between the reads and the writes of a verb.
@Suite("Verbs beside other processes", .timeLimit(.minutes(5)))
struct VerbRaceTests {
    /// A store in memory that calls a closure once: after the runs are listed, after a run wasn't found, and before a
    /// signal is stored or removed.
    ///
    /// The results of the steps in `unreadable` can't be read.
    private final class RacingStore: ForwardingRunStore {
        let store: any RunStore = MemoryRunStore()
        let meanwhile = Locked<(@Sendable (any RunStore) throws -> Void)?>(nil)
        let unreadable = Locked<[String: RunStoreError.Code]>([:])

        func result(of step: String, in id: RunID) throws -> Data? {
            if let code = unreadable.withLock({ $0[step] }) {
                throw RunStoreError(code, store: name, "the result can't be read")
            }
            return try store.result(of: step, in: id)
        }

        func open(_ id: RunID, input: Data?, as owner: RunOwner, at now: Date) throws -> any OpenRun {
            try store.open(id, input: input, as: owner, at: now)
        }

        func runs(of workflow: String?) throws -> [RunRecord] {
            let runs = try store.runs(of: workflow)
            try meanwhile.withLock { $0.take() }?(store)
            return runs
        }

        func run(_ id: RunID) throws -> RunRecord? {
            let run = try store.run(id)
            if run == nil { try meanwhile.withLock { $0.take() }?(store) }
            return run
        }

        func withdraw(condition: String, of id: RunID) throws -> Bool {
            try meanwhile.withLock { $0.take() }?(store)
            return try store.withdraw(condition: condition, of: id)
        }

        func forget(endedBefore date: Date, of workflow: String?) throws -> Int {
            try meanwhile.withLock { $0.take() }?(store)
            return try store.forget(endedBefore: date, of: workflow)
        }

        func send(_ signal: RunSignal, to id: RunID, at now: Date) throws -> Bool {
            try meanwhile.withLock { $0.take() }?(store)
            return try store.send(signal, to: id, at: now)
        }
    }

    private let store = RacingStore()

    private func runs() -> StoredRuns {
        StoredRuns(store, of: "w", isJSON: false, guide: .silent, now: moment(3600))
    }

    @Test("DR-19: a run that its next owner finishes while it is cancelled stays finished, without a signal")
    func cancelFinished() throws {
        try store.openTest(id: RunID("w", key: "k")).close()
        store.meanwhile.withLock {
            $0 = { try $0.openTest(2, id: RunID("w", key: "k")).end(.finished, at: moment(1)) }
        }
        #expect(throws: RunsError.self) { try runs().cancel("k", reason: "enough") }
        let run = try store.run(RunID("w", key: "k"))
        #expect(run?.ending == .finished && run?.ended == moment(1) && run?.isOpen == false)
        #expect(try store.signals(of: RunID("w", key: "k")).isEmpty)
    }

    @Test("DR-19: a run that its owner ends while it is asked to stop isn't cancelled by its next owner")
    func cancelEnding() throws {
        let open = try store.openTest(id: RunID("w", key: "k"))
        store.meanwhile.withLock { $0 = { _ in try open.end(.failed, at: moment(1)) } }
        #expect(throws: RunsError.self) { try runs().cancel("k", reason: "enough") }
        #expect(try store.run(RunID("w", key: "k"))?.ending == .failed)
        #expect(try store.signals(of: RunID("w", key: "k")).isEmpty)
    }

    @Test("DR-19: a run whose owner dies while it is asked to stop is cancelled at once")
    func cancelOrphan() throws {
        let open = try store.openTest(id: RunID("w", key: "k"))
        store.meanwhile.withLock { $0 = { _ in open.close() } }
        #expect(try runs().cancel("k", reason: "enough").output == "w/k is cancelled\n")
        #expect(try store.run(RunID("w", key: "k"))?.ending == .cancelled("enough"))
    }

    @Test("a paused run whose owner dies while its pause ends is left to the caller")
    func resumeOrphan() throws {
        let open = try store.openTest(id: RunID("w", key: "k"))
        #expect(try store.pause(RunID("w", key: "k")))
        store.meanwhile.withLock { $0 = { _ in open.close() } }
        #expect(try runs().resume("k") == nil)
        #expect(try !store.isPaused(RunID("w", key: "k")))
    }

    @Test(
        "DR-60: a fork whose key another process takes meanwhile writes nothing into that run",
        arguments: [true, false])
    func forkTaken(isOpened: Bool) throws {
        let shape = Workflow("w")
        let first = try shape.add("first") { 1 }
        try shape.add("second", after: first) { $0 }
        let source = try store.openTest(id: RunID("w", key: "a"))
        #expect(try source.finish("first", Data("1".utf8)))
        source.close()
        store.meanwhile.withLock {
            $0 = { store in
                let id = RunID("w", key: "b")
                if isOpened {
                    try store.openTest(2, id: id).close()
                } else {
                    _ = try store.create(id, input: Data("2".utf8), by: .test(2), at: moment())
                }
            }
        }
        #expect(throws: RunsError.self) {
            try runs().fork("a", from: "second", to: "b", shape: shape)
        }
        #expect(try store.steps(of: RunID("w", key: "b")).isEmpty)
        #expect(try store.run(RunID("w", key: "b"))?.isOpen == false)
    }

    /// Stores two finished steps of the run `a`; returns its workflow of three steps.
    private func finishTwo() throws -> Workflow {
        let shape = Workflow("w")
        let first = try shape.add("first") { 1 }
        let second = try shape.add("second", after: first) { $0 }
        try shape.add("third", after: second) { $0 }
        let source = try store.openTest(id: RunID("w", key: "a"))
        for step in ["first", "second"] { #expect(try source.finish(step, Data("1".utf8))) }
        source.close()
        return shape
    }

    @Test("DR-60: a fork that fails leaves no run behind")
    func forkFailed() throws {
        let shape = try finishTwo()
        store.unreadable.withLock { $0["second"] = .unavailable }
        let error = #expect(throws: RunStoreError.self) {
            try runs().fork("a", from: "third", to: "b", shape: shape)
        }
        #expect(error?.code == .unavailable)
        #expect(try store.run(RunID("w", key: "b")) == nil)
    }

    @Test("DR-60: a fork doesn't copy a step whose result is damaged")
    func forkDamaged() throws {
        let shape = try finishTwo()
        store.unreadable.withLock { $0["second"] = .resultDamaged }
        let answer = try runs().fork("a", from: "third", to: "b", shape: shape)
        #expect(answer.output.hasPrefix("w/b keeps 1 step of w/a"))
        #expect(try store.steps(of: RunID("w", key: "b")).map(\.name) == ["first"])
    }

    @Test("DR-60: a fork copies large results in several writes")
    func forkLarge() throws {
        let sizes = Locked<[Int]>([])
        let watched = WatchedStore(store) { _, changes in
            var size = 0
            for case .finished(let data?) in changes.map(\.kind) { size += data.count }
            let written = size
            sizes.withLock { $0.append(written) }
        }
        let shape = try finishTwo()
        let source = try store.openTest(3, id: RunID("w", key: "a"))
        for step in ["first", "second"] {
            #expect(try source.finish(step, attempt: 2, token: 3, Data(count: 10 << 20)))
        }
        source.close()
        let runs = StoredRuns(watched, of: "w", isJSON: false, guide: .silent, now: moment(3600))
        _ = try runs.fork("a", from: "third", to: "b", shape: shape)
        #expect(sizes.withLock { $0 } == [10 << 20, 10 << 20])
    }

    @Test(
        "DR-33: an old run that is opened again while runs are forgotten is kept", arguments: [true, false])
    func forgetReopened(isOpen: Bool) throws {
        for key in ["a", "b"] {
            try store.openTest(id: RunID("w", key: key)).end(.finished, at: moment())
        }
        let opened = Locked<(any OpenRun)?>(nil)
        store.meanwhile.withLock {
            $0 = { store in
                let run = try store.openTest(2, id: RunID("w", key: "a"))
                #expect(try run.finish("step", token: 2))
                if isOpen { opened.withLock { $0 = run } } else { run.close() }
            }
        }
        #expect(try runs().forget(olderThan: .seconds(60)).output == "1 run forgotten\n")
        let left = try store.store.runs(of: nil)
        #expect(left.map(\.id.key) == ["a"] && left.first?.finished == 1)
    }
}
