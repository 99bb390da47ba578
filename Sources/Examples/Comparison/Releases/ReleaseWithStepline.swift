import Stepline

/// A release as a workflow, which keeps finished results.
final class ReleaseWithStepline: Release {
    private let workflow = Workflow("release")
    private let consent: TaskRef<Bool>
    private let published: TaskRef<String>

    init(_ workshop: Workshop) throws {
        let source = try workflow.add("source") { try await workshop.source() }
        let build = try workflow.add("build", after: source) { source in try await workshop.build(source) }
        let tests = try workflow.add("test", after: source) { source in try await workshop.test(source) }
        let package = try workflow.add("pack", after: build, tests) { build, tests in
            try await workshop.pack(build, tests)
        }
        // Depends on the package, so that a failed release doesn't wait for a decision.
        let condition = ExternalConditionTask(name: "consent", of: Bool.self)
        consent = try TaskRef(workflow.add(condition, prerequisites: [package.task]))
        published = try workflow.add("publish", after: package, consent) { package, consent in
            guard consent else { throw Refused() }
            return try await workshop.publish(package)
        }
    }

    func decide(_ mayPublish: Bool) { consent.fulfill(with: mayPublish) }

    func attempt() async throws -> String {
        workflow.retry()
        try await workflow.run()
        return try await published.value
    }
}
