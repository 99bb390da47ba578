import SteplinePostgreSQL
import SteplineRuns
import SteplineRunsTesting
import TestServers
import Testing

/// A store on a server does what every store of runs does, by the suite that a user's own store is held against.
@Suite(.timeLimit(.minutes(5)), .enabled(if: TestServer.isNeeded, "\(TestServer.absence)"))
struct PostgreSQLConformanceTests {
    @Test(arguments: Conformance.requirements)
    func `DR-40, DR-70, DR-72: a store on a server meets every requirement, also opened by others`(
        requirement: RunStoreRequirement
    ) async throws {
        let url = try await TestServer.shared().newDatabase()
        try await requirement.check {
            try .postgreSQL(url)
        } reopening: { _ in
            try .postgreSQL(url)
        }
    }
}
