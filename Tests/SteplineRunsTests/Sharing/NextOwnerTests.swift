import Foundation
import RunsTestSupport
import SteplineRunsTesting
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@testable import SteplineRuns
@testable import SteplineWorkflow

/// The program of these runs, for a server.
private struct Next: DurableWorkflow {
    static let clock = ManualClock()
    static var options: WorkflowOptions { WorkflowOptions(clock: clock) }

    static func build(_ workflow: Workflow, _ input: NoInput) throws { try workflow.add("a") { 1 } }
}

/// A store whose signals can't be read while it is mute.
private final class MuteStore: ForwardingSharedStore {
    let shared: any SharedRunStore = SharedMemoryStore()
    let isMute = Locked(false)

    func signals(of id: RunID) throws -> [RunSignal] {
        if isMute.withLock({ $0 }) { throw RunStoreError(.damaged, store: name, "its signals are damaged") }
        return try shared.signals(of: id)
    }
}

/// The next owner of a run and the offers of the last owner.
@Suite(.timeLimit(.minutes(5)))
struct NextOwnerTests {
    private static let id = RunID("next", key: "k")

    private static func make(version: Int = 1, _ begun: Recorder<Int> = Recorder()) throws -> Workflow {
        let workflow = Workflow("next")
        try workflow.add("a", options: TaskOptions(version: version)) {
            begun.record(version)
            return version
        }
        return workflow
    }

    private static func worker(
        in store: any SharedRunStore, slots: Int = 1, grace: Duration = .seconds(5),
        clock: any StepClock = .lease,
        tell: @escaping @Sendable (WorkerNews) -> Void = { _ in },
        build: @escaping @Sendable () throws -> Workflow
    ) -> StepWorker {
        StepWorker(
            of: "next", in: store, WorkerSettings(slots: slots, grace: grace, clock: clock),
            build: { _ in try build() },
            tell: tell)
    }

    private static func run(_ workflow: Workflow, in store: any SharedRunStore, on place: RunPlace)
        async throws
    {
        _ = try await workflow.run(
            in: store, key: "k", retryingFailures: false, input: nil, on: place
        ) { _ in }
    }

    /// An owner that has left the run to workers, and is gone.
    private static func leave(
        _ store: any SharedRunStore, _ act: (any SharedRun, StepOffer) throws -> Void = { _, _ in }
    ) throws {
        let now = Date()
        let open = try store.open(id, input: nil, as: RunOwner(since: now), at: now)
        let run = try #require(open as? any SharedRun)
        try run.leave(toWorkers: true)
        let facts = try RunGraph(make()).facts(0)
        try act(
            run,
            StepOffer(
                step: "a", task: "a", version: 1, attempt: 1, token: 7, links: facts.links, failures: 0,
                interruptions: 0, priority: 2, cacheKey: nil))
        run.close()
    }

    private static func claim(_ store: any SharedRunStore) throws -> (any WorkerMembership, ClaimedStep) {
        let membership = try store.join(WorkerProfile(workflow: "next", host: "h", process: 1, slots: 1))
        return (membership, try #require(try membership.claim(1, risky: false).first))
    }

    @Test func `DR-75: a server takes a run only after the worker of its step has left`() async throws {
        let store = SharedMemoryStore(clock: Next.clock)
        try Self.leave(store) { run, offer in try run.offer([offer]) }
        let (membership, _) = try Self.claim(store)
        let ended = Recorder<String>()
        let server = Task { try await Next.serve(in: store) { id, _ in ended.record(id.key) } }
        await Next.clock.waitForScheduled()
        #expect(store.offers(of: Self.id).first?.worker != nil && ended.count == 0)
        membership.leave()
        await eventually {
            Next.clock.advance(by: .seconds(1))
            return ended.count == 1
        }
        #expect(try store.run(Self.id)?.ending == .finished)
        server.cancel()
        try await server.value
    }

    @Test(arguments: LostWorkerTests.Kind.present, [false, true])
    func `DR-43: steps that a lost owner withdrew are offered again`(
        kind: LostWorkerTests.Kind, isClaimed: Bool
    ) async throws {
        let store = try await kind.make()
        try Self.leave(store) { run, offer in
            try run.offer([offer])
            let claimed = isClaimed ? try Self.claim(store) : nil
            try run.withdraw([(step: "a", attempt: 1)])
            if let (membership, claim) = claimed {
                let stopped = WorkedStep(
                    claim: claim, outcome: .stopped, result: nil, began: Date(), ended: Date())
                #expect(try membership.end([stopped]) == [])
                membership.leave()
            }
        }
        let begun = Recorder<Int>()
        let worker = Self.worker(in: store) { try Self.make(begun) }
        let owned = OneShot<Void>()
        let owner = Task {
            _ = try await Self.make().run(
                in: store, key: "k", retryingFailures: false, input: nil, on: .workers
            ) { _ in owned.fulfill(()) }
        }
        // Else the worker might take over what nobody owns.
        await owned.value
        let working = Task { try await worker.run() }
        try await owner.value
        worker.leave()
        try await working.value
        #expect(begun.values == [1])
        #expect(try store.stepsByName(of: Self.id)["a"]?.attempt == 1)
    }

    @Test(arguments: LostWorkerTests.Kind.present)
    func `DR-5, DR-45: an offer of an older version isn't run, and its result isn't taken`(
        kind: LostWorkerTests.Kind
    ) async throws {
        let store = try await kind.make()
        var held: (any WorkerMembership, ClaimedStep)?
        try Self.leave(store) { run, offer in
            try run.offer([offer])
            held = try Self.claim(store)
        }
        let (membership, claim) = try #require(held)
        let begun = Recorder<Int>(), owned = OneShot<Void>()
        let worker = Self.worker(in: store) { try Self.make(version: 2, begun) }
        let owner = Task {
            _ = try await Self.make(version: 2).run(
                in: store, key: "k", retryingFailures: false, input: nil, on: .workers
            ) { _ in owned.fulfill(()) }
        }
        await owned.value
        let late = WorkedStep(
            claim: claim, outcome: .finished, result: Data("1".utf8), began: Date(), ended: Date())
        #expect(try membership.end([late]) == [0])
        let working = Task { try await worker.run() }
        try await owner.value
        worker.leave()
        try await working.value
        #expect(begun.values == [2])
        #expect(try store.result(of: "a", in: Self.id) == Data("2".utf8))
    }

    @Test(arguments: LostWorkerTests.Kind.present)
    func `DR-43: no worker runs steps of a run that one process keeps to itself`(kind: LostWorkerTests.Kind)
        async throws
    {
        let store = try await kind.make()
        try Self.leave(store) { run, offer in try run.offer([offer]) }
        let membership = try store.join(WorkerProfile(workflow: "next", host: "h", process: 1, slots: 1))
        let workflow = Workflow("next")
        let claimed = Recorder<Int>()
        try workflow.add("a") {
            claimed.record(try membership.claim(1, risky: false).count)
            return 1
        }
        try await Self.run(workflow, in: store, on: .process)
        #expect(claimed.values == [0])
        membership.leave()
    }

    @Test(arguments: LostWorkerTests.Kind.present)
    func `DR-45: a worker of an older program doesn't take a newer one's run over`(
        kind: LostWorkerTests.Kind
    ) async throws {
        let store = try await kind.make()
        try Self.leave(store) { run, offer in
            _ = try run.write([
                StepChange(
                    .finished(Data("2".utf8)), of: "a", attempt: 1, token: 7, at: Date(), began: Date(),
                    version: 2, links: offer.links, failures: 0, interruptions: 0)
            ])
        }
        let (passed, owned) = (OneShot<String>(), OneShot<Void>())
        let old = Self.worker(in: store) { news in
            if case .cannotOwn(_, let reason) = news { passed.fulfill(reason) }
        } build: {
            try Self.make()
        }
        let working = Task { try await old.run() }
        #expect(await passed.value.contains("newer version"))
        #expect(try store.run(Self.id)?.ending == nil)
        let new = Self.worker(in: store) { news in
            if case .owned = news { owned.fulfill(()) }
        } build: {
            try Self.make(version: 2)
        }
        let newWorking = Task { try await new.run() }
        await owned.value
        for worker in [old, new] { worker.leave() }
        try await working.value
        try await newWorking.value
        #expect(try store.run(Self.id)?.ending == .finished)
        #expect(try store.result(of: "a", in: Self.id) == Data("2".utf8))
    }

    @Test(arguments: LostWorkerTests.Kind.present)
    func `DR-43: an ended run whose steps are offered again has no ending, so that a worker takes it over`(
        kind: LostWorkerTests.Kind
    ) async throws {
        let store = try await kind.make()
        let now = Date()
        try store.open(Self.id, input: nil, as: RunOwner(since: now), at: now).end(.finished, at: now)
        try Self.leave(store)
        #expect(try store.run(Self.id)?.ending == .finished)
        #expect(try store.ownerless(of: "next").isEmpty)
        try Self.leave(store) { run, offer in try run.offer([offer]) }
        #expect(try store.run(Self.id)?.ending == nil)
        #expect(try store.ownerless(of: "next").map(\.id) == [Self.id])
    }

    @Test(arguments: LostWorkerTests.Kind.present, [false, true])
    func `DR-45: a worker whose program lacks a step of a run doesn't take the run over`(
        kind: LostWorkerTests.Kind, isOffered: Bool
    ) async throws {
        let store = try await kind.make()
        try Self.leave(store) { run, offer in
            var publish = offer
            (publish.step, publish.task) = ("publish", "publish")
            if isOffered { return try run.offer([publish]) }
            _ = try run.write([
                StepChange(
                    .began, of: "publish", attempt: 1, token: 7, at: Date(), began: Date(),
                    version: 1, links: offer.links, failures: 0, interruptions: 0)
            ])
        }
        let (passed, owned) = (OneShot<String>(), OneShot<Void>())
        let old = Self.worker(in: store) { news in
            if case .cannotOwn(_, let reason) = news { passed.fulfill(reason) }
        } build: {
            try Self.make()
        }
        let working = Task { try await old.run() }
        #expect(await passed.value.contains("publish"))
        old.leave()
        try await working.value
        #expect(try store.run(Self.id)?.ending == nil)
        let new = Self.worker(in: store) { news in
            if case .owned = news { owned.fulfill(()) }
        } build: {
            let workflow = try Self.make()
            try workflow.add("publish") { 1 }
            return workflow
        }
        let newWorking = Task { try await new.run() }
        await owned.value
        new.leave()
        try await newWorking.value
        #expect(try store.run(Self.id)?.ending == .finished)
        #expect(try store.stepsByName(of: Self.id)["publish"]?.state == .finished)
    }

    @Test func `DR-43: a worker that can't go on with a run reports the reason, and waits a minute`()
        async throws
    {
        let store = MuteStore()
        try Self.leave(store)
        let clock = ManualClock()
        let (owns, passed) = (Recorder<Void>(), OneShot<String>())
        let worker = Self.worker(in: store, clock: clock) { news in
            switch news {
            case .owns:
                store.isMute.withLock { $0 = true }
                owns.record(())
            case .cannotOwn(_, let reason):
                store.isMute.withLock { $0 = false }
                passed.fulfill(reason)
            default: break
            }
        } build: {
            try Self.make()
        }
        let working = Task { try await worker.run() }
        #expect(await passed.value.contains("its signals are damaged"))
        var time = Duration.zero
        await eventually {
            clock.advance(by: .seconds(4))
            time += .seconds(4)
            return owns.count > 1
        }
        #expect(time >= .seconds(60))
        worker.leave()
        try await working.value
        #expect(try store.run(Self.id)?.ending == nil)
    }

    @Test(arguments: LostWorkerTests.Kind.present)
    func `DR-43: a worker that leaves and owns a run stops no bodies of other workers`(
        kind: LostWorkerTests.Kind
    ) async throws {
        let store = try await kind.make()
        try Self.leave(store)
        let (gate, begun, stopped) = (Gate(), Recorder<String>(), Recorder<String>())
        @Sendable func make(_ who: String) throws -> Workflow {
            let workflow = Workflow("next")
            for name in ["a", "b"] {
                try workflow.add(name) { () async throws -> String in
                    begun.record(who)
                    await withTaskCancellationHandler {
                        await gate.wait()
                    } onCancel: {
                        stopped.record(who)
                        // An owner that leaves ends its own body.
                        if who == "owner" { gate.open() }
                    }
                    try Task.checkCancellation()
                    return who
                }
            }
            return workflow
        }
        let owns = OneShot<Void>()
        let owner = Self.worker(in: store) { news in
            if case .owns = news { owns.fulfill(()) }
        } build: {
            try make("owner")
        }
        let ownerWorking = Task { try await owner.run() }
        await owns.value
        await begun.waitForCount(1)
        let finished = Recorder<Void>()
        let clock = ManualClock()
        let other = Self.worker(in: store, clock: clock) { news in
            if case .owned = news { finished.record(()) }
        } build: {
            try make("other")
        }
        let otherWorking = Task { try await other.run() }
        await begun.waitForCount(2)
        owner.leave()
        try await ownerWorking.value
        gate.open()
        // The other worker looks for runs without an owner at each heartbeat.
        await eventually {
            clock.advance(by: .seconds(4))
            return finished.count > 0
        }
        other.leave()
        try await otherWorking.value
        #expect(stopped.values == ["owner"])
        #expect(begun.values.sorted() == ["other", "other", "owner"])
        #expect(try store.run(Self.id)?.ending == .finished)
    }

    @Test func `DR-42: a step whose end is in transit when its worker's lease expires is run again`()
        async throws
    {
        let store = SharedMemoryStore(lease: .seconds(60))
        let begun = Recorder<String>(), first = Gate(), second = Gate()
        @Sendable func make() throws -> Workflow {
            let workflow = Workflow("next")
            for (name, gate) in [("a", first), ("b", second)] {
                try workflow.add(name) {
                    begun.record(name)
                    await gate.wait()
                }
            }
            return workflow
        }
        let built = Locked<Workflow?>(nil), taken = Recorder<Int>()
        let wakes = DispatchSemaphore(value: 0)
        let (hasBegun, hasEnded, lost) = (OneShot<Void>(), OneShot<Void>(), OneShot<Void>())
        // Its thread stands still until there are an end and news, and then while it tells of that end: meanwhile the
        // other body ends, and its lease does.
        let worker = Self.worker(in: store, slots: 2) { news in
            switch news {
            case .began:
                taken.record(1)
                if taken.count == 2 {
                    hasBegun.fulfill(())
                    wakes.wait()
                }
            case .ended(let step, isRefused: false) where step.claim.offer.step == "a":
                hasEnded.fulfill(())
                wakes.wait()
            case .lost: lost.fulfill(())
            default: break
            }
        } build: {
            let workflow = try make()
            built.withLock { $0 = workflow }
            return workflow
        }
        let working = Task { try await worker.run() }
        let owner = Task { try await Self.run(make(), in: store, on: .workers) }
        @Sendable func isKept(_ number: Int32) -> Bool {
            built.withLock { $0?.core.look { $0.isBeingKept(number) } == true }
        }
        await hasBegun.value
        first.open()
        await eventually { isKept(0) }
        store.tell(.ends)
        wakes.signal()
        await hasEnded.value
        second.open()
        await eventually { isKept(1) }
        _ = store.changeBoard { $0.sweep(at: .infinity) }
        wakes.signal()
        await lost.value
        try await owner.value
        worker.leave()
        try await working.value
        #expect(begun.values.sorted() == ["a", "b", "b"])
    }
}
