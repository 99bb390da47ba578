public import SteplineRuns

/// A requirement that every run store must meet, to check a store of your own in a parameterized test.
///
///     @Test(arguments: RunStoreRequirement.all)
///     func `my store keeps runs as every store does`(requirement: RunStoreRequirement) async throws {
///         let place = newPlace()
///         try await requirement.check {
///             try MyStore(path: place)
///         } reopening: { _ in
///             try MyStore(path: place)
///         }
///     }
///
/// Requirements use only `RunStore` and `OpenRun`, and depend on no clock. They are grouped by subject: runs, owners,
/// signals, forgetting, steps, results and caching. Two more groups are random, each reproducible by its seed: changes
/// compared with the store in memory, and maps that grow and are cut off again and again.
public struct RunStoreRequirement: Sendable, CustomStringConvertible {
    /// The requirement in one line: `DR-18: a run has one owner, and a second is told who it is`.
    public let description: String

    private let body: @Sendable (StoreTrial) async throws -> Void

    package init(_ description: String, _ body: @escaping @Sendable (StoreTrial) async throws -> Void) {
        self.description = description
        self.body = body
    }

    /// All requirements: with 30 seeds of random changes, and 4 of maps that grow.
    public static let all: [RunStoreRequirement] =
        runs + owners + signals + forgetting + steps + results + caching
        + (1...30).map { randomChanges(seed: $0) }
        + (1...4).map { growth(seed: $0) }

    /// Checks a store against this requirement.
    ///
    /// - Parameters:
    ///   - make: Makes an empty store. It is called once, immediately.
    ///   - reopen: Opens the contents of a store again, as another process would, while the first store may still be
    ///     open. The default returns the same store, for stores that can't be shared.
    /// - Throws: ``RunStoreConformanceError`` with all differences.
    public func check(
        _ make: @Sendable () throws -> any RunStore,
        reopening reopen: @escaping @Sendable (any RunStore) throws -> any RunStore = { $0 }
    ) async throws {
        let store = try make()
        let trial = StoreTrial(store, reopen)
        do { try await body(trial) } catch let error as StoreTrial.Stop { _ = error } catch {
            trial.find("nothing is thrown beside what is demanded", "\(error)")
        }
        guard trial.findings.isEmpty else {
            throw RunStoreConformanceError(store: store.name, requirement: description, trial.findings)
        }
    }
}
