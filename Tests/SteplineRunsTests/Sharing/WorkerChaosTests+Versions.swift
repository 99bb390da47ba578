import Foundation
import RunsTestSupport
import SteplinePostgreSQL
import SteplineRunsTesting
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestServers
import TestSupport
import Testing

@testable import SteplineRuns

/// Workers of two versions of a program, of which the older ones die.
extension WorkerChaosTests {
    @Test(.soakOnly, arguments: Chaos.seeds())
    func
        `DR-45, DR-71: workers of two program versions share a run, and each runs only what it knows, also if some are killed`(
            seed: UInt64
        ) async throws
    {
        // The older program lacks the last tasks, and has another version of some of the others.
        let random = RandomRun(seed: seed, count: 40, version: 2)
        let older = Self.tasks(of: try RandomRun(seed: seed, count: 30).make())
        let newer = Self.tasks(of: try random.make())
        let server = try await TestServer.shared()
        let url = try await server.newDatabase()
        let processes = await WorkerProcess.start(
            url, seed: seed, [["work", "\(4 + seed % 4)"], ["work", "1000000"]])
        let workflow = try await share(random, workers: 2) { try PostgreSQLRunStore(url) }
        var bodies: [WorkerProcess.Body] = []
        for process in processes {
            process.leave()
            bodies += try await process.ended().bodies
        }
        #expect(!bodies.isEmpty, "seed \(seed)")
        for body in bodies {
            // An element of a map has its version.
            let map = String(body.name.prefix { $0 != "[" })
            let task = newer[body.name] == nil ? map : body.name
            if newer[task] != 1 || older[task] != 1 {
                Issue.record("seed \(seed): \(body.name) was run by a worker that doesn't know it")
            }
        }
        try await expect(workflow, as: random, "seed \(seed), \(bodies.count) bodies by older workers")
        try await Chaos.check(url, seed, on: server)
    }

    /// The versions of all tasks, also of those in subworkflows, by their own names.
    private static func tasks(of workflow: Workflow) -> [String: Int] {
        var versions: [String: Int] = [:]
        for task in workflow.allTasks {
            versions[task.name] = task.options.version
            guard let inner = (task as? SubworkflowTask)?.subworkflow else { continue }
            versions.merge(tasks(of: inner)) { first, _ in first }
        }
        return versions
    }
}
