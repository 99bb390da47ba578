import CSpawn
import Foundation
import SteplineSupport

/// A program that runs, in a process group of its own, and is taken from the system's list once it has ended.
///
/// Not Foundation's `Process`: on Linux that doesn't notice the end of a program as long as a child of it lives.
final class ChildProcess: Sendable {
    enum End: Equatable {
        case exited(Int32)
        case signalled(Int32)
        /// Somebody else has taken it from the system's list; where a process ignores `SIGCHLD`, the system itself.
        case unknown
    }

    private struct State {
        var hasEnded = false
        /// Whether no signal may be sent any more: its number may be another's.
        var isForgotten = false
        /// Whether it was ended by force, with its children.
        var isKilled = false
        var descendants: Descendants
    }

    /// How long to wait for a busy file at first, and at last, in microseconds.
    private static let shortestPause: UInt32 = 500
    private static let longestPause: UInt32 = 256_000
    /// How often it is looked whether children live, in microseconds.
    private static let interval: UInt32 = 10_000
    /// How often that is looked at most once they were killed: those that nobody takes from the list stay in it.
    private static let looksAfterKill = 50
    /// How often none is to be seen: one that is just being started may be missed once.
    private static let looksForNone = 2

    private let pid: pid_t
    /// Where it is kept as long as it runs.
    private let programs: LivePrograms
    private let state: Locked<State>
    private let ending = OneShot<End>()

    /// Starts the program with these descriptors for input, output and complaints; throws what the system says.
    ///
    /// `spawned` is called once it runs, before it is known among the others.
    init(
        _ call: ProgramCall, input: Int32, output: Int32, errors: Int32,
        among programs: LivePrograms = .shared, spawned: () -> Void = {}
    ) throws {
        let path = call.executable.path(percentEncoded: false)
        let inherited = call.inherited ?? ProcessInfo.processInfo.environment
        var variables = inherited.merging(call.environment) { $1 }
        let descendants = Descendants(inheriting: variables[ProcessTable.variable])
        variables[ProcessTable.variable] = descendants.environment
        let environment = variables.map { "\($0.key)=\($0.value)" }
        let folder = call.folder.path(percentEncoded: false)
        pid = try programs.starting {
            try Self.withCStrings([path] + call.arguments) { arguments in
                try Self.withCStrings(environment) { environment in
                    try Self.patiently {
                        stepline_spawn(&$0, path, arguments, environment, folder, input, output, errors)
                    }
                }
            }
        }
        state = Locked(State(descendants: descendants))
        self.programs = programs
        spawned()
        programs.insert(self)
        Thread { [self] in waitForEnd() }.start()
    }

    private static func withCStrings<Result>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) throws -> Result
    ) rethrows -> Result {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return try body(copies + [nil])
    }

    /// Starts a program, again where its file is busy: one that was written just now is so for a moment, as what others
    /// start meanwhile has inherited it until it begins.
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

    /// How it ended, once it has; its children may live on.
    var end: End {
        get async { await ending.value }
    }

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Sends a signal to the program and its group, which ends with its last member.
    ///
    /// Once the program has ended, to children alone, and only until ``forget()``.
    func signalGroup(_ number: Int32) {
        state.withLock { signalGroup(number, &$0) }
    }

    /// Sends a signal to the program and all that come from it, also in sessions of their own.
    ///
    /// Once the program has ended, to children alone, and only until ``forget()``.
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

    /// Whether there was any outside its group.
    @discardableResult
    private func signalOthers(_ number: Int32, in table: ProcessTable, _ state: inout State) -> Bool {
        guard !state.isForgotten else { return false }
        let others = state.descendants.find(in: table, program: state.hasEnded ? nil : pid)
        // Between the look and the signal its number can't come round again to another's.
        for other in others { kill(other, number) }
        return !others.isEmpty
    }

    /// Ends by force all that are in the table and come from it; false if there were none.
    func killAll(in table: ProcessTable) -> Bool {
        state.withLock { state in
            signalGroup(SIGKILL, &state)
            return signalOthers(SIGKILL, in: table, &state)
        }
    }

    /// Returns once the program and all that come from it are gone, for which somebody else is to see.
    ///
    /// Once they were killed, what they started in the last moment is killed as well.
    func waitForChildren() async {
        let gone = OneShot<Void>()
        Thread { [self] in
            var looks = 0
            var looksAfterKill = 0
            var looksWithout = 0
            while looksAfterKill < Self.looksAfterKill, looksWithout < Self.looksForNone {
                let isKilled = state.withLock { $0.isKilled }
                // The dead are told from the living by a look at all processes, which costs more: two of ten are such.
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
        // What is outside costs more to be found, and is waited for last.
        guard isGroupGone || looksClosely else { return false }
        let table = ProcessTable.now()
        let areOthersGone = state.withLock { !signalOthers(killing ? SIGKILL : 0, in: table, &$0) }
        // An orphan that is dead stays in its group until it is taken from the list, which is for others to do.
        return (isGroupGone || table.showsNobody(in: pid)) && areOthersGone
    }

    /// Nobody has an interest in its children any more.
    func forget() {
        state.withLock { $0.isForgotten = true }
        programs.remove(self)
    }

    private func waitForEnd() {
        // Its number stays its own until it is taken from the list, which waits for signals on their way.
        var info = siginfo_t()
        while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
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
