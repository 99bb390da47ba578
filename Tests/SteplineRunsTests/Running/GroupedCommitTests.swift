import Foundation
import RunsTestSupport
import SteplineRuns
import SteplineRunsTesting
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import Testing

/// Ends that come while a write goes on are written together with the next.
@Suite(.timeLimit(.minutes(5))) struct GroupedCommitTests {
    enum Kind: CaseIterable { case memory, full, normal }

    @Test(arguments: Kind.allCases)
    func `DR-30: many ends that come together take few commits, and all of them are kept`(
        kind: Kind
    ) async throws {
        let folder = try TestFolder()
        let path = folder.path("test.runs")
        let store: any RunStore =
            switch kind {
            case .memory: .memory()
            case .full: try .file(path)
            case .normal: try .file(path, durability: .normal)
            }
        let count = 500
        let ended = Recorder<Void>()
        let gate = Gate()
        let held = HeldStore(store, gate)
        let workflow = Workflow("wide")
        for number in 0..<count {
            // The body holds no thread of the workflow, which would commit the end by itself.
            try workflow.add("\(number)") {
                await Task.yield()
                ended.record(())
                return number
            }
        }
        let running = Task { try await workflow.run(in: held, key: "k") }
        // The first write lasts until all bodies have ended: nothing else lets ends come together for sure.
        await gate.waitForArrivals()
        await ended.waitForCount(count)
        gate.open()
        let report = try await running.value
        #expect(report.executed.count == count)
        // The held one, those that had come to the writer when it was let go, and what came after.
        #expect(held.writes < count / 10, "\(held.writes) commits for \(count) ends")
        let again: any RunStore = if kind == .memory { store } else { try .file(path) }
        var finished = 0
        try again.forEachStep(of: RunID("wide", key: "k")) { finished += $0.state == .finished ? 1 : 0 }
        #expect(finished == count)
    }

    @Test func `DR-30: no body begins on a worker while 8,192 ends wait for a slow store`() async throws {
        let (count, limit) = (20_000, 8192)
        let begun = Locked(0), ahead = Locked(0)
        let changed = NSCondition()
        let bodies = ProcessInfo.processInfo.activeProcessorCount + 64  // on their way
        let store = WatchedStore(.memory()) { _, _ in
            guard ahead.withLock({ $0 }) == 0 else { return }
            changed.lock()
            defer { changed.unlock() }
            while begun.withLock({ $0 }) < limit { changed.wait() }
            // Without a limit, others begin soon.
            let end = Date(timeIntervalSinceNow: 0.2)
            while begun.withLock({ $0 }) <= limit + bodies, changed.wait(until: end) {}
            ahead.withLock { $0 = begun.withLock { $0 } }
        }
        let workflow = Workflow("wide")
        for number in 0..<count {
            try workflow.add("\(number)") {
                begun.withLock { $0 += 1 }
                changed.lock()
                changed.broadcast()
                changed.unlock()
                return number
            }
        }
        #expect(try await workflow.run(in: store, key: "k").executed.count == count)
        let most = ahead.withLock { $0 }
        #expect(most >= limit && most <= limit + bodies, "\(most) bodies began ahead of the store")
    }

    @Test func `DR-30: large ends that come together are written in parts`() async throws {
        let count = 24
        let (ended, gate) = (Recorder<Void>(), Gate())
        let sizes = Locked<[Int]>([])
        let store = WatchedStore(.memory()) { _, changes in
            gate.block()
            sizes.withLock { $0.append(changes.reduce(0) { $0 + $1.resultSize }) }
        }
        let workflow = Workflow("large")
        for number in 0..<count {
            try workflow.add("\(number)") {
                await Task.yield()
                ended.record(())
                return Data(count: 1 << 20)
            }
        }
        let running = Task { try await workflow.run(in: store, key: "k") }
        await gate.waitForArrivals()
        await ended.waitForCount(count)
        gate.open()
        #expect(try await running.value.executed.count == count)
        let written = sizes.withLock { $0 }
        #expect(written.reduce(0, +) == count << 20 && written.allSatisfy { $0 <= 16 << 20 }, "\(written)")
    }

    @Test(arguments: [2, 3])
    func `DR-31: a batch that a busy store doesn't take is written at the third try, or fails the run`(
        refusals: Int
    ) async throws {
        let store = BusyStore(refusals)
        let workflow = Workflow("busy")
        try workflow.add("a") { 1 }
        if refusals == 2 {
            #expect(try await workflow.run(in: store, key: "k").executed == ["a"])
        } else {
            let error = await #expect(throws: RunStoreError.self) {
                try await workflow.run(in: store, key: "k")
            }
            #expect(error?.code == .busy)
        }
    }
}

/// A store in memory that other processes keep busy at the first writes of an end.
private final class BusyStore: ForwardingRunStore {
    let store: any RunStore = .memory()
    fileprivate let refusals: Locked<Int>

    init(_ refusals: Int) { self.refusals = Locked(refusals) }

    func open(_ id: RunID, input: Data?, as owner: RunOwner, at now: Date) throws -> any OpenRun {
        BusyRun(try store.open(id, input: input, as: owner, at: now), self)
    }
}

private final class BusyRun: ForwardingOpenRun {
    let run: any OpenRun
    private let store: BusyStore

    init(_ run: any OpenRun, _ store: BusyStore) {
        self.run = run
        self.store = store
    }

    func write(_ changes: [StepChange]) throws -> [Int] {
        let isRefused = store.refusals.withLock { left in
            guard left > 0, changes.contains(where: \.isEnd) else { return false }
            left -= 1
            return true
        }
        if isRefused { throw RunStoreError(.busy, store: "memory", "other processes keep it busy") }
        return try run.write(changes)
    }
}

extension StepChange {
    fileprivate var resultSize: Int {
        if case .finished(let data?) = kind { data.count } else { 0 }
    }
}

/// A store that counts the writes of ends; the first one takes until a gate opens.
private final class HeldStore: ForwardingRunStore {
    let store: any RunStore
    private let gate: Gate
    private let count = Locked(0)

    init(_ store: any RunStore, _ gate: Gate) {
        self.store = store
        self.gate = gate
    }

    var writes: Int { count.withLock { $0 } }

    func open(_ id: RunID, input: Data?, as owner: RunOwner, at now: Date) throws -> any OpenRun {
        HeldRun(try store.open(id, input: input, as: owner, at: now), self)
    }

    fileprivate func hold() {
        let isFirst = count.withLock { count in
            count += 1
            return count == 1
        }
        if isFirst { gate.block() }
    }
}

private final class HeldRun: ForwardingOpenRun {
    let run: any OpenRun
    private let store: HeldStore

    init(_ run: any OpenRun, _ store: HeldStore) {
        self.run = run
        self.store = store
    }

    func write(_ changes: [StepChange]) throws -> [Int] {
        if changes.contains(where: \.isEnd) { store.hold() }
        return try run.write(changes)
    }
}

extension StepChange {
    fileprivate var isEnd: Bool {
        if case .finished = kind { true } else { false }
    }
}
