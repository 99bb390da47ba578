import CSpawn
import Foundation
import SteplineSupport

/// A running program in a process group of its own, reaped by a dedicated thread.
///
/// Foundation's `Process` isn't used: on Linux it doesn't notice that a program has ended while a child of it lives.
///
/// | state | meaning |
/// |---|---|
/// | running | the pid and the group belong to the program |
/// | `hasEnded` | the program is reaped; its children may still live in the group |
/// | `isForgotten` | no signal may be sent: the pid may belong to another process |
///
/// Signals are sent under the lock. `waitForEnd()` reaps the program under the same lock, so a signal never reaches
/// a process that has taken over the pid. `LivePrograms.forget(_:)` ends the supervision of the children.
/// Costs: one thread until the program ends, and another during ``waitForChildren()``.
final class ChildProcess: Sendable {
    enum End: Equatable {
        case exited(Int32)
        case signalled(Int32)
        /// The status is lost: other code has reaped the program, or the system has if `SIGCHLD` is ignored.
        case unknown
    }

    private struct State {
        var hasEnded = false
        /// Whether signals are no longer allowed, because the pid may belong to another process.
        var isForgotten = false
        /// Whether the program and its children were killed.
        var isKilled = false
        var descendants: Descendants
    }

    /// The first and the last pause before a busy executable is started again, in microseconds.
    private static let shortestPause: UInt32 = 500
    private static let longestPause: UInt32 = 256_000
    /// The interval between checks for living children, in microseconds.
    private static let interval: UInt32 = 10_000
    /// The maximum number of checks after a kill: zombies that no process reaps stay forever.
    private static let looksAfterKill = 50
    /// The number of successive checks that must find no child: a check may miss a child that is just starting.
    private static let looksForNone = 2

    private let pid: pid_t
    private let state: Locked<State>
    private let ending = OneShot<End>()

    /// Starts the program with these descriptors for its input, output and standard error.
    ///
    /// - Throws: `POSIXError` if the program can't be started.
    init(_ call: ProgramCall, input: Int32, output: Int32, errors: Int32) throws {
        let path = call.executable.path(percentEncoded: false)
        let inherited = call.inherited ?? ProcessInfo.processInfo.environment
        var variables = inherited.merging(call.environment) { $1 }
        let descendants = Descendants(inheriting: variables[ProcessTable.variable])
        variables[ProcessTable.variable] = descendants.environment
        let environment = variables.map { "\($0.key)=\($0.value)" }
        let folder = call.folder.path(percentEncoded: false)
        pid = try Self.withCStrings([path] + call.arguments) { arguments in
            try Self.withCStrings(environment) { environment in
                try Self.patiently {
                    stepline_spawn(&$0, path, arguments, environment, folder, input, output, errors)
                }
            }
        }
        state = Locked(State(descendants: descendants))
        Thread { [self] in waitForEnd() }.start()
    }

    private static func withCStrings<Result>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) throws -> Result
    ) rethrows -> Result {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return try body(copies + [nil])
    }

    /// Starts a program, and retries while its file is busy.
    ///
    /// A file that was just written is busy as long as a program that is being started at the same time has inherited
    /// the open descriptor, which lasts until that program's `exec`.
    private static func patiently(_ start: (inout pid_t) -> Int32) throws -> pid_t {
        var started: pid_t = 0
        var error = start(&started)
        var pause = shortestPause
        while error == ETXTBSY, pause <= longestPause {
            usleep(pause)
            pause *= 2
            error = start(&started)
        }
        guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .EINVAL) }
        return started
    }

    /// The exit status of the program, once it has ended; its children may still live.
    var end: End {
        get async { await ending.value }
    }

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Sends a signal to the program's group.
    ///
    /// After the end of the program it reaches only children, and none after ``forget()``.
    func signalGroup(_ number: Int32) {
        state.withLock { signalGroup(number, &$0) }
    }

    /// Sends a signal to the program and all its descendants, also those in other sessions.
    ///
    /// After the end of the program it reaches only descendants, and none after ``forget()``.
    func signalAll(_ number: Int32) {
        let table = ProcessTable.now()
        state.withLock { state in
            signalGroup(number, &state)
            signalOthers(number, in: table, &state)
        }
    }

    private func signalGroup(_ number: Int32, _ state: inout State) {
        guard !state.isForgotten else { return }
        if number == SIGKILL { state.isKilled = true }
        if kill(-pid, number) != 0, !state.hasEnded { kill(pid, number) }
    }

    /// Sends a signal to descendants outside the group; returns whether there were any.
    @discardableResult
    private func signalOthers(_ number: Int32, in table: ProcessTable, _ state: inout State) -> Bool {
        guard !state.isForgotten else { return false }
        let others = state.descendants.find(in: table, program: state.hasEnded ? nil : pid)
        // Pids aren't reused so quickly that one could change its owner between the look-up and the signal.
        for other in others { kill(other, number) }
        return !others.isEmpty
    }

    /// Kills the program's group and all its descendants in the table; returns whether any were outside the group.
    func killAll(in table: ProcessTable) -> Bool {
        state.withLock { state in
            signalGroup(SIGKILL, &state)
            return signalOthers(SIGKILL, in: table, &state)
        }
    }

    /// Returns once the program and all its descendants have ended.
    ///
    /// It only waits, unless the program was killed: then it also kills descendants that were started meanwhile.
    func waitForChildren() async {
        let gone = OneShot<Void>()
        Thread { [self] in
            var looks = 0
            var looksAfterKill = 0
            var looksWithout = 0
            while looksAfterKill < Self.looksAfterKill, looksWithout < Self.looksForNone {
                let isKilled = state.withLock { $0.isKilled }
                // Only a scan of all processes tells zombies from living children. It is expensive: scan in two of ten
                // rounds.
                let looksClosely = isKilled || looks % 10 >= 8
                looksWithout = areChildrenGone(killing: isKilled, looksClosely) ? looksWithout + 1 : 0
                looks += 1
                if isKilled { looksAfterKill += 1 }
                usleep(Self.interval)
            }
            gone.fulfill(())
        }.start()
        await gone.value
    }

    private func areChildrenGone(killing: Bool, _ looksClosely: Bool) -> Bool {
        let isGroupGone = state.withLock { $0.isForgotten || kill(-pid, 0) != 0 && errno == ESRCH }
        // Descendants outside the group need a scan, so check for them last.
        guard isGroupGone || looksClosely else { return false }
        let table = ProcessTable.now()
        let areOthersGone = state.withLock { !signalOthers(killing ? SIGKILL : 0, in: table, &$0) }
        // A zombie orphan stays in its group until its new parent reaps it, so a signal still finds the group.
        return (isGroupGone || table.showsNobody(in: pid)) && areOthersGone
    }

    /// Stops the supervision of the program's children; no signal is sent any more.
    func forget() { state.withLock { $0.isForgotten = true } }

    private func waitForEnd() {
        // Wait without reaping: the pid stays reserved until `waitpid`, which runs under the lock of the signals.
        var info = siginfo_t()
        while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        #if canImport(Darwin)
            // Darwin's `waitid` also returns for a stopped program. `waitpid` would then block under the lock.
            while info.si_code == CLD_STOPPED || info.si_code == CLD_CONTINUED {
                usleep(Self.interval)
                info = siginfo_t()
                while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
            }
        #endif
        let end = state.withLock { state -> End in
            state.hasEnded = true
            var status: Int32 = 0
            var taken = waitpid(pid, &status, 0)
            while taken < 0, errno == EINTR { taken = waitpid(pid, &status, 0) }
            guard taken == pid else { return .unknown }
            let signal = status & 0x7f
            return signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
        }
        ending.fulfill(end)
    }
}
