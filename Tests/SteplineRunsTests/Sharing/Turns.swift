/// Lets so many be at something at once; the others wait for their turn.
actor Turns {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    func take(_ body: @Sendable () async throws -> Void) async throws {
        await begin()
        defer { end() }
        try await body()
    }

    private func begin() async {
        guard free == 0 else { return free -= 1 }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func end() {
        guard !waiting.isEmpty else { return free += 1 }
        waiting.removeFirst().resume()
    }
}
