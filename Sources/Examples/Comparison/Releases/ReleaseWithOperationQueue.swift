import Foundation

/// A release with operations, which can't run twice: each attempt makes a new graph, and results are kept.
final class ReleaseWithOperationQueue: Release, @unchecked Sendable {
    struct Missing: Error { let name: String }

    private let workshop: Workshop
    private let lock = NSLock()
    private var results: [String: String] = [:]
    private var decision: Bool?
    private var decided: AsyncStream<Bool>.Continuation?

    init(_ workshop: Workshop) { self.workshop = workshop }

    func decide(_ mayPublish: Bool) async {
        lock.withLock {
            decision = mayPublish
            decided?.yield(mayPublish)
        }
    }

    func attempt() async throws -> String {
        let source = job("source") { [self] in try await workshop.source() }
        let build = job("build", after: source) { [self] in try await workshop.build(result("source")) }
        let test = job("test", after: source) { [self] in try await workshop.test(result("source")) }
        let pack = job("pack", after: build, test) { [self] in
            try await workshop.pack(result("build"), result("test"))
        }
        let consent = job("consent") { [self] in
            guard try await awaitDecision() else { throw Refused() }
            return "yes"
        }
        let publish = job("publish", after: pack, consent) { [self] in
            _ = try result("consent")
            return try await workshop.publish(result("pack"))
        }
        let jobs = [source, build, test, pack, consent, publish]
        // Don't wait for a decision if the release has already failed.
        pack.completionBlock = { if pack.error != nil { consent.cancel() } }

        await OperationQueue().run(jobs)
        try Task.checkCancellation()
        if let error = jobs.lazy.compactMap(\.error).first { throw error }
        return try result("publish")
    }

    private func job(
        _ name: String, after prerequisites: Job..., body: @escaping @Sendable () async throws -> String
    ) -> Job {
        let job = Job { [self] in
            if (try? result(name)) != nil { return }
            let result = try await body()
            lock.withLock { results[name] = result }
        }
        for prerequisite in prerequisites { job.addDependency(prerequisite) }
        return job
    }

    /// Returns the result of a job; a failed or cancelled prerequisite doesn't stop its dependents, so it may be
    /// missing.
    private func result(_ name: String) throws -> String {
        guard let result = lock.withLock({ results[name] }) else { throw Missing(name: name) }
        return result
    }

    private func awaitDecision() async throws -> Bool {
        let (words, word) = AsyncStream<Bool>.makeStream()
        let decision = lock.withLock {
            decided = word
            return self.decision
        }
        if let decision { return decision }
        for await decision in words { return decision }
        throw CancellationError()
    }

    /// An operation whose error is written before it finishes, and read afterwards.
    private final class Job: AsyncOperation, @unchecked Sendable {
        private let body: @Sendable () async throws -> Void
        private(set) var error: (any Error)?

        init(_ body: @escaping @Sendable () async throws -> Void) { self.body = body }

        override func main() {
            let task = Task {
                do { try await body() } catch { self.error = error }
                finish()
            }
            onCancel { task.cancel() }
        }
    }
}
