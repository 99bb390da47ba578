import SteplineRuns
import SteplineRunsTesting
import Testing

/// The suite for stores finds what is wrong with one, and says what was demanded and what came.
@Suite(.timeLimit(.minutes(5))) struct FaultyStoreTests {
    /// The failure of the first requirement that doesn't hold, among those whose title begins with `start`.
    private func failure(of fault: FaultyStore.Fault, _ start: String = "") async throws
        -> RunStoreConformanceError?
    {
        for requirement in RunStoreRequirement.all where requirement.description.hasPrefix(start) {
            do {
                try await requirement.check { FaultyStore(fault) }
            } catch let error as RunStoreConformanceError {
                return error
            }
        }
        return nil
    }

    @Test(arguments: FaultyStore.Fault.allCases)
    func `DR-72: a store with a fault is found`(fault: FaultyStore.Fault) async throws {
        let failure = try #require(try await failure(of: fault))
        #expect(failure.store == "faulty" && !failure.findings.isEmpty)
    }

    @Test(arguments: [
        (FaultyStore.Fault.losesAWrite, "a step's life is kept as it goes on", "the step that waits"),
        (.takesStaleAttempts, "DR-11: an attempt that counts no longer", "the places of what is refused"),
        (.hasTwoOwners, "DR-18: a run has one owner", "a second owner"),
    ])
    func `DR-72: a finding says what was demanded and what came`(
        fault: FaultyStore.Fault, requirement: String, words: String
    ) async throws {
        let failure = try #require(try await failure(of: fault, requirement))
        let finding = try #require(failure.findings.first)
        #expect(finding.hasPrefix("demanded: \(words)"))
        #expect(finding.contains("; came: ") && !finding.hasSuffix("; came: "))
        #expect(failure.description.contains(finding))
    }

    @Test
    func `DR-72: a difference is reported with its value, and a store that can't be made with its error`()
        async throws
    {
        struct Broken: Error {}
        let requirement = try #require(RunStoreRequirement.all.first)
        let error = await #expect(throws: RunStoreConformanceError.self) {
            try await requirement.check { FaultyStore(.losesTheInput) }
        }
        #expect(error?.requirement == requirement.description)
        let came = error?.findings.first?.split(separator: "; came: ").last
        #expect(came?.contains("input: nil") == true)
        await #expect(throws: Broken.self) { try await requirement.check { throw Broken() } }
    }
}
