package import Foundation
package import SteplineRuns
import SteplineRunsTesting
import SteplineSupport

/// A store that calls a closure before each write, with the number of the write from 1, and forwards all calls.
package final class WatchedStore: ForwardingRunStore {
    package let store: any RunStore
    private let writes = Locked(0)
    private let willWrite: @Sendable (Int, [StepChange]) -> Void

    package init(_ store: any RunStore, willWrite: @escaping @Sendable (Int, [StepChange]) -> Void) {
        self.store = store
        self.willWrite = willWrite
    }

    package func open(_ id: RunID, input: Data?, as owner: RunOwner, at now: Date) throws -> any OpenRun {
        WatchedRun(self, try store.open(id, input: input, as: owner, at: now))
    }

    fileprivate func tell(_ changes: [StepChange]) {
        let number = writes.withLock { number in
            number += 1
            return number
        }
        willWrite(number, changes)
    }
}

private final class WatchedRun: ForwardingOpenRun {
    private let store: WatchedStore
    let run: any OpenRun

    init(_ store: WatchedStore, _ run: any OpenRun) {
        self.store = store
        self.run = run
    }

    func write(_ changes: [StepChange]) throws -> [Int] {
        if !changes.isEmpty { store.tell(changes) }
        return try run.write(changes)
    }

    func end(_ ending: RunEnding, at now: Date) throws {
        store.tell([])
        try run.end(ending, at: now)
    }
}
