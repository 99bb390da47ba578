import SteplineRuns
import SteplineRunsTesting
import Testing

/// The conformance tests of every store of runs.
@Suite(.timeLimit(.minutes(5))) struct StoreConformanceTests {
    @Test(arguments: Conformance.fixed)
    func `DR-70, DR-72: the store in memory meets every requirement`(
        requirement: RunStoreRequirement
    ) async throws {
        try await requirement.check { .memory() }
    }

    @Test(arguments: Conformance.requirements)
    func `DR-70, DR-72: a store in a file meets every requirement, also opened by others`(
        requirement: RunStoreRequirement
    ) async throws {
        let folder = try TestFolder()
        try await requirement.check {
            try .file(folder.path("test.runs"))
        } reopening: { _ in
            try .file(folder.path("test.runs"))
        }
    }

    @Test(arguments: Conformance.fixed)
    func `DR-70, DR-72: a store in a file that doesn't wait for the disk meets every requirement`(
        requirement: RunStoreRequirement
    ) async throws {
        let folder = try TestFolder()
        try await requirement.check { try .file(folder.path("test.runs"), durability: .normal) }
    }
}
