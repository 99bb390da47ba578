import Foundation
import SteplineSupport

/// The registry of running programs, which ends them all before the process exits.
///
/// ``endAll()`` closes the registry and waits until no program is being started, so a program that starts concurrently
/// is either killed or not started.
package final class LivePrograms: Sendable {
    private struct State {
        var running: [ObjectIdentifier: ChildProcess] = [:]
        /// The number of programs that are being started and aren't in `running` yet.
        var starting = 0
        /// Whether no further program may start, because the process is about to exit.
        var isClosed = false
    }

    package static let shared = LivePrograms()

    private static let mostLooks = 20
    /// The maximum number of waits for starting programs, and the pause between them in microseconds.
    private static let mostWaits = 1000
    private static let pause: UInt32 = 1000

    private let state = Locked(State())

    package init() {}

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Starts and registers a program; kills it at once if the registry was closed meanwhile.
    ///
    /// The caller must call ``forget(_:)`` later.
    ///
    /// - Throws: The error of `start`, or `POSIXError` if the registry is closed.
    func start(_ start: () throws -> ChildProcess) throws -> ChildProcess {
        try state.withLock { state in
            guard !state.isClosed else { throw POSIXError(.ECANCELED) }
            state.starting += 1
        }
        let program: ChildProcess
        do {
            program = try start()
        } catch {
            state.withLock { $0.starting -= 1 }
            throw error
        }
        let isClosed = state.withLock { state in
            state.starting -= 1
            state.running[ObjectIdentifier(program)] = program
            return state.isClosed
        }
        if isClosed { program.signalAll(SIGKILL) }
        return program
    }

    /// Removes a program, and stops the supervision of its children.
    func forget(_ program: ChildProcess) {
        program.forget()
        _ = state.withLock { $0.running.removeValue(forKey: ObjectIdentifier(program)) }
    }

    /// Kills all running programs with their descendants, and prevents further starts.
    package func endAll() {
        state.withLock { $0.isClosed = true }
        // A program that is being started isn't registered yet, and would outlive this process.
        for _ in 0..<Self.mostWaits {
            guard state.withLock({ $0.starting }) > 0 else { break }
            usleep(Self.pause)
        }
        var left = state.withLock { Array($0.running.values) }
        // Repeat until no descendants are found: they may start others after each scan.
        for _ in 0..<Self.mostLooks where !left.isEmpty {
            let table = ProcessTable.now()
            left = left.filter { $0.killAll(in: table) }
        }
    }
}
