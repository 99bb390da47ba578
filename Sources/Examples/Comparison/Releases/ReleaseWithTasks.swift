/// A release in plain Swift: child tasks form the graph, and an actor keeps the results.
actor ReleaseWithTasks: Release {
    private let workshop: Workshop
    private var results: [String: String] = [:]
    private var decision: Bool?
    private var decided: AsyncStream<Bool>.Continuation?

    init(_ workshop: Workshop) { self.workshop = workshop }

    func decide(_ mayPublish: Bool) {
        decision = mayPublish
        decided?.yield(mayPublish)
    }

    func attempt() async throws -> String {
        let workshop = workshop
        let source = try await once("source") { try await workshop.source() }
        // Await both results before throwing: an early error would cancel the other task.
        async let built = result("build") { try await workshop.build(source) }
        async let tested = result("test") { try await workshop.test(source) }
        let (build, tests) = (await built, await tested)
        let (binary, log) = (try build.get(), try tests.get())
        let package = try await once("pack") { try await workshop.pack(binary, log) }
        guard try await awaitDecision() else { throw Refused() }
        return try await once("publish") { try await workshop.publish(package) }
    }

    private func awaitDecision() async throws -> Bool {
        if let decision { return decision }
        let (words, word) = AsyncStream<Bool>.makeStream()
        decided = word
        for await decision in words { return decision }
        throw CancellationError()
    }

    private func once(_ name: String, _ body: @Sendable () async throws -> String) async throws -> String {
        if let result = results[name] { return result }
        try Task.checkCancellation()
        let result = try await body()
        results[name] = result
        return result
    }

    private func result(
        _ name: String, _ body: @Sendable () async throws -> String
    ) async -> Result<String, any Error> {
        do { return .success(try await once(name, body)) } catch { return .failure(error) }
    }
}
