import SteplineSupport

/// The Swift tasks that read a run's events, each as long as it reads: there are as many as pipelines are run.
final class RunFollowers: Sendable {
    private struct State {
        var begun = 0
        var reading: [Int: Task<Void, Never>] = [:]
    }

    private let state = Locked(State())

    /// Begins a task that reads.
    func begin(_ read: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        // Under the lock, so that it is known here before it can be over.
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

    /// Has all of them end once they have read what was told until now.
    func finish() async {
        let left = state.withLock { Array($0.reading.values) }
        for reader in left {
            reader.cancel()
            await reader.value
        }
    }
}
