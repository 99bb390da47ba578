import SteplineRuns
import SteplineRunsTesting
import Testing

/// The conformance tests of every store of runs.
@Suite(.timeLimit(.minutes(5))) struct StoreConformanceTests {
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

    @Test(arguments: Conformance.fixed, [false, true])
    func `DR-70, DR-72: stores in memory, or in a file that isn't synced, meet every requirement`(
        requirement: RunStoreRequirement, isInFile: Bool
    ) async throws {
        let folder = try TestFolder()
        try await requirement.check {
            isInFile ? try .file(folder.path("test.runs"), durability: .normal) : .memory()
        }
    }
}
