import Foundation
import SteplineSupport

/// Keeps the programs that run, so that none outlives the command.
package final class LivePrograms: Sendable {
    private struct State {
        var running: [ObjectIdentifier: ChildProcess] = [:]
        /// How many are being started, and aren't among those that run yet.
        var starting = 0
        /// Whether none is started any more, as the process is about to end.
        var isClosed = false
    }

    package static let shared = LivePrograms()

    private static let mostLooks = 20
    /// How often, at most, it is looked whether those that are being started run, and how long to wait in between, in
    /// microseconds.
    private static let mostWaits = 1000
    private static let pause: UInt32 = 1000

    private let state = Locked(State())

    package init() {}

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Starts a program, which ``insert(_:)`` is to be told of, unless this throws.
    func starting(_ start: () throws -> pid_t) throws -> pid_t {
        try state.withLock { state in
            guard !state.isClosed else { throw POSIXError(.ECANCELED) }
            state.starting += 1
        }
        do {
            return try start()
        } catch {
            state.withLock { $0.starting -= 1 }
            throw error
        }
    }

    /// Keeps a program that was started; it ends at once if all have been ended meanwhile.
    func insert(_ program: ChildProcess) {
        let isClosed = state.withLock { state in
            state.starting -= 1
            state.running[ObjectIdentifier(program)] = program
            return state.isClosed
        }
        if isClosed { program.signalAll(SIGKILL) }
    }

    func remove(_ program: ChildProcess) {
        _ = state.withLock { $0.running.removeValue(forKey: ObjectIdentifier(program)) }
    }

    /// Ends by force what still runs, with all children; nothing is started any more.
    package func endAll() {
        state.withLock { $0.isClosed = true }
        // One that is just being started would outlive this process.
        for _ in 0..<Self.mostWaits {
            guard state.withLock({ $0.starting }) > 0 else { break }
            usleep(Self.pause)
        }
        var left = state.withLock { Array($0.running.values) }
        // What one of them has started after the look is seen by the next.
        for _ in 0..<Self.mostLooks where !left.isEmpty {
            let table = ProcessTable.now()
            left = left.filter { $0.killAll(in: table) }
        }
    }
}
