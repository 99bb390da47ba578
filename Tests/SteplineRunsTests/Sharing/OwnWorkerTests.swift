import RunsTestSupport
import SteplineRunsTesting
import SteplineSupport
import SteplineWorkflow
import Testing

@testable import SteplineRuns

/// A store that no worker can join.
private final class ClosedStore: ForwardingSharedStore {
    let shared: any SharedRunStore

    init(_ store: any SharedRunStore) { shared = store }

    func join(_ profile: WorkerProfile) throws -> any WorkerMembership {
        throw RunStoreError(.unavailable, store: name, "the server is away")
    }
}

/// The worker in the process of a run's owner.
@Suite(.timeLimit(.minutes(5)))
struct OwnWorkerTests {
    private static let id = RunID("own", key: "k")

    @Sendable private static func build() throws -> Workflow {
        let workflow = Workflow("own")
        try workflow.add("a") { 1 }
        return workflow
    }

    @Test(arguments: [true, false])
    func `DR-51: an error of the own worker ends the run, unless there are other workers`(
        hasOthers: Bool
    ) async throws {
        let store = SharedMemoryStore()
        let (joined, complained) = (OneShot<Void>(), OneShot<Void>())
        let other = StepWorker(
            of: "own", in: store, WorkerSettings(slots: 1), build: { _ in try Self.build() },
            tell: { news in if case .joined = news { joined.fulfill(()) } })
        var working: Task<Void, any Error>?
        if hasOthers {
            working = Task { try await other.run() }
            await joined.value
        }
        let helpers = RunHelpers(
            of: Self.id,
            worker: { store in
                StepWorker(
                    of: "own", in: ClosedStore(store), WorkerSettings(slots: 1),
                    build: { _ in try Self.build() })
            },
            complain: { _ in complained.fulfill(()) })
        func run() async throws {
            try await helpers.helping(in: store) {
                await complained.value
                _ = try await Self.build().run(
                    in: store, key: "k", retryingFailures: false, input: nil, on: .workers
                ) { _ in }
            }
        }
        if hasOthers {
            try await run()
        } else {
            await #expect(throws: CancellationError.self) { try await run() }
        }
        other.leave()
        try await working?.value
        let ending = try store.run(Self.id)?.ending
        #expect((ending == .finished) == hasOthers)
    }
}
