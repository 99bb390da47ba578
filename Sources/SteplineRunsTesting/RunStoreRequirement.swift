public import SteplineRuns

/// Something that every store of runs must do; a store of your own is held against all of them in one test.
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
/// They use nothing but `RunStore` and `OpenRun`, and wait for no clock.
public struct RunStoreRequirement: Sendable, CustomStringConvertible {
    /// What is demanded, in a line: `DR-18: a run has one owner, and a second is told who it is`.
    public let description: String

    private let body: @Sendable (StoreTrial) async throws -> Void

    init(_ description: String, _ body: @escaping @Sendable (StoreTrial) async throws -> Void) {
        self.description = description
        self.body = body
    }

    /// All of them, with thirty seeds of random changes, ten of whole workflows, and two of such that are cut off.
    public static let all: [RunStoreRequirement] =
        runs + owners + signals + forgetting + steps + results + caching
        + (1...30).map { randomChanges(seed: $0) }
        + (1...10).map { story(seed: $0) }
        + (1...2).map { interruptions(seed: $0) }

    /// Holds stores against this requirement; throws a ``RunStoreConformanceError`` with all that differs.
    ///
    /// - Parameters:
    ///   - make: Makes an empty store. It is called once, and at once.
    ///   - reopen: Opens once more what a store has kept, as another process would, while the first one
    ///     may still be in use. A store that can't be shared has none, and is asked itself.
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
