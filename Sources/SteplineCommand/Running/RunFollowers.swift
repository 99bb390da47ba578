import SteplineSupport

/// The Swift tasks that read a run's events: one for each running pipeline.
final class RunFollowers: Sendable {
    private struct State {
        var begun = 0
        var reading: [Int: Task<Void, Never>] = [:]
    }

    private let state = Locked(State())

    /// Starts a reader.
    func begin(_ read: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        // Under the lock, so that the task is registered before it can end.
        state.withLock { state in
            state.begun += 1
            let number = state.begun
            let reader = Task {
                await read()
                forget(number)
            }
            state.reading[number] = reader
            return reader
        }
    }

    private func forget(_ number: Int) { state.withLock { _ = $0.reading.removeValue(forKey: number) } }

    /// Ends all readers after they have read the events so far.
    func finish() async {
        let left = state.withLock { Array($0.reading.values) }
        for reader in left {
            reader.cancel()
            await reader.value
        }
    }
}
