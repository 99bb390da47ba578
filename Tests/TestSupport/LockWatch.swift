import SteplineSupport

/// Detects objects that are freed while a machine holds its lock.
///
/// A machine must not call user code, and freeing a user object can do so. A test without threads marks the time of the
/// lock and gives the machine ``Thing``s instead of user objects.
package final class LockWatch: Sendable {
    private struct State {
        var depth = 0
        var lost = 0
    }

    private let state = Locked(State())

    package init() {}

    /// A substitute for a user object.
    package final class Thing: Error, Sendable {
        private let watch: LockWatch
        fileprivate init(_ watch: LockWatch) { self.watch = watch }
        deinit { watch.left() }
    }

    package func thing() -> Thing { Thing(self) }

    /// Marks that the lock is taken or released.
    package func lock() { state.withLock { $0.depth += 1 } }
    package func unlock() { state.withLock { $0.depth -= 1 } }

    /// The number of objects that were freed under the lock.
    package var lost: Int { state.withLock { $0.lost } }

    private func left() { state.withLock { if $0.depth > 0 { $0.lost += 1 } } }
}

/// A machine without threads that counts as locked while it handles an event.
package struct Watched<Machine> {
    package let watch: LockWatch
    private var decider: Machine

    package init(_ machine: Machine, _ watch: LockWatch) {
        decider = machine
        self.watch = watch
    }

    package var machine: Machine {
        _read { yield decider }
        _modify {
            watch.lock()
            defer { watch.unlock() }
            yield &decider
        }
    }
}
