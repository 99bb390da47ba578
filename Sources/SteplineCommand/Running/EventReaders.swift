import SteplineSupport

/// The tasks that read events, each as long as it reads: there are as many as pipelines are run.
final class EventReaders: Sendable {
    private struct State {
        var count = 0
        var reading: [Int: Task<Void, Never>] = [:]
        /// Those that were over before they were known here.
        var ended: Set<Int> = []
    }

    private let state = Locked(State())

    /// Begins a task that reads.
    func begin(_ read: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        let reader = Task {
            await read()
            end(number)
        }
        state.withLock { state in
            if state.ended.remove(number) == nil { state.reading[number] = reader }
        }
        return reader
    }

    /// How many are kept, as they still read.
    var count: Int { state.withLock { $0.reading.count + $0.ended.count } }

    private func end(_ number: Int) {
        state.withLock { state in
            if state.reading.removeValue(forKey: number) == nil { state.ended.insert(number) }
        }
    }

    /// Has all of them end once they have read what was told until now.
    func finish() async {
        let left = state.withLock { Array($0.reading.values) }
        for reader in left {
            reader.cancel()
            await reader.value
        }
    }
}
