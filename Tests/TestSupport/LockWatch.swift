import SteplineSupport

/// Finds what is freed while a machine decides.
///
/// A machine calls nobody, and what a user made may call when it is freed. A test without threads says when
/// the lock would be held, and gives the machine ``Thing``s in place of users' values.
package final class LockWatch: Sendable {
    private struct State {
        var depth = 0
        var lost = 0
    }

    private let state = Locked(State())

    package init() {}

    /// Something of a user's.
    package final class Thing: Error, Sendable {
        private let watch: LockWatch
        fileprivate init(_ watch: LockWatch) { self.watch = watch }
        deinit { watch.left() }
    }

    package func thing() -> Thing { Thing(self) }

    /// The lock is taken, or released.
    package func lock() { state.withLock { $0.depth += 1 } }
    package func unlock() { state.withLock { $0.depth -= 1 } }

    /// How many things were freed under the lock.
    package var lost: Int { state.withLock { $0.lost } }

    private func left() { state.withLock { if $0.depth > 0 { $0.lost += 1 } } }
}

/// A machine without threads that counts as locked for as long as it takes in a message.
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
