import RunsTestSupport
import SteplinePostgreSQL
import SteplineRunsTesting
import SteplineSupport
import SteplineWorkflow
import TestServers

@testable import SteplineRuns

/// Where a run is made that must come to what the plain one comes to.
enum ConformancePlace: String, CaseIterable, Sendable {
    /// Without a store, once more.
    case plain
    case memory, memoryWithWorkers
    case file, fileThatIsNotSynced
    case server, serverWithWorkers

    static let present = allCases.filter { TestServer.isNeeded || !$0.isOnServer }
    /// Those whose owner runs the steps itself, in a store.
    static let ofOwners = present.filter { $0 != .plain && !$0.hasWorkers }

    private var isOnServer: Bool { self == .server || self == .serverWithWorkers }
    private var hasWorkers: Bool { self == .memoryWithWorkers || self == .serverWithWorkers }

    /// Makes the store, and gives it to who runs in it; nil for the run without one.
    func withStore<Result>(_ body: ((any RunStore)?) async throws -> Result) async throws -> Result {
        let folder = try TestFolder()
        defer { withExtendedLifetime(folder) {} }
        switch self {
        case .plain: return try await body(nil)
        case .memory, .memoryWithWorkers: return try await body(MemoryRunStore())
        case .file: return try await body(.file(folder.path("test.runs")))
        case .fileThatIsNotSynced:
            return try await body(.file(folder.path("test.runs"), durability: .normal))
        case .server, .serverWithWorkers:
            return try await body(PostgreSQLRunStore(try await TestServer.shared().newDatabase()))
        }
    }

    /// Runs a workflow to its end, whichever that is.
    func run(_ workflow: Workflow, as random: RandomRun, in store: (any RunStore)?) async throws {
        do {
            if let store = store as? any SharedRunStore, hasWorkers {
                try await WorkersBeside.run(workflow, in: { store }) { try random.make() }
            } else if let store {
                try await workflow.run(in: store, key: "k")
            } else {
                _ = await workflow.outcome()
            }
        } catch let error as WorkflowError where error.code == .tasksFailed {
        } catch is CancellationError {}
    }
}
