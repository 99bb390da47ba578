import Foundation
import SteplineSupport
import TestProcesses
import Testing

/// The command, or another program, in a pseudo-terminal, which is its controlling one: what is typed comes as from a
/// keyboard.
///
/// The thread that reads the terminal closes it, and nobody else: after another's close it might read from whatever
/// the system gives the same number to, and so take away what another test waits for.
final class Terminal: Sendable {
    private struct State {
        var text = ""
        var waiting: [(text: String, found: OneShot<Bool>)] = []
        /// Whether all has been read, and the terminal been closed.
        var isOver = false
        /// Whether the command has ended; its number is still its own.
        var hasEnded = false
    }

    private let state: Locked<State>
    private let master: Int32
    private let child: pid_t
    private let ended = OneShot<Int32>()
    private let closed = OneShot<Void>()

    /// Starts the command.
    ///
    /// Its stdout may be something else.
    init(
        _ arguments: [String], program: URL? = nil, environment: [String: String] = [:], columns: Int = 100,
        rows: Int = 24, output: String? = nil
    ) throws {
        var (master, slave): (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 1024)
        var size = winsize(
            ws_row: UInt16(truncatingIfNeeded: rows), ws_col: UInt16(truncatingIfNeeded: columns),
            ws_xpixel: 0,
            ws_ypixel: 0)
        let isOpen = TestProcess.spawning {
            guard openpty(&master, &slave, &name, nil, &size) == 0 else { return false }
            _ = fcntl(master, F_SETFD, FD_CLOEXEC)
            _ = fcntl(slave, F_SETFD, FD_CLOEXEC)
            return true
        }
        try #require(isOpen, "no pseudo-terminal")
        defer { close(slave) }
        let state = Locked(State())
        self.state = state
        self.master = master
        let path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let program = try program ?? Command.executable()
        do {
            child = try TestProcess.spawning {
                try Self.spawn(program.path, arguments, environment, on: path, output)
            }
        } catch {
            close(master)
            throw error
        }
        let child = child
        // Else a command that doesn't end would keep the whole run of the tests.
        SystemClock.shared.schedule(after: .seconds(240)) {
            state.withLock { state in
                if !state.hasEnded { kill(child, SIGKILL) }
            }
        }
        Thread { [master, closed] in
            var buffer = [UInt8](repeating: 0, count: 1 << 14)
            while true {
                let count = read(master, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                if count <= 0 { break }
                Self.append(String(decoding: buffer[..<count], as: UTF8.self), to: state)
            }
            Self.finish(state, master)
            closed.fulfill(())
        }.start()
        Thread { [ended] in
            var info = siginfo_t()
            while waitid(P_PID, id_t(child), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
            state.withLock { $0.hasEnded = true }
            var status: Int32 = 0
            waitpid(child, &status, 0)
            ended.fulfill(status)
        }.start()
    }

    /// A process that still runs in the terminal would keep it open.
    deinit {
        state.withLock { state in
            if !state.hasEnded { kill(-child, SIGKILL) }
        }
    }

    /// All that has been shown so far.
    var text: String { state.withLock { $0.text } }

    /// Waits until a text has been shown; false if the command ended without it.
    func waits(for text: String) async -> Bool {
        let found = OneShot<Bool>()
        let answer = state.withLock { state -> Bool? in
            if state.text.contains(text) { return true }
            if state.isOver { return false }
            state.waiting.append((text, found))
            return nil
        }
        if let answer { return answer }
        return await found.value
    }

    /// Types.
    func type(_ text: String) {
        let bytes = Array(text.utf8)
        state.withLock { state in
            if !state.isOver { _ = write(master, bytes, bytes.count) }
        }
    }

    /// Gives the window another size; what has been shown until then.
    func resize(columns: Int, rows: Int) -> String {
        state.withLock { state in
            var size = winsize(
                ws_row: UInt16(truncatingIfNeeded: rows), ws_col: UInt16(truncatingIfNeeded: columns),
                ws_xpixel: 0, ws_ypixel: 0)
            if !state.isOver { _ = ioctl(master, UInt(TIOCSWINSZ), &size) }
            return state.text
        }
    }

    /// Sends a signal.
    func send(_ signal: Int32) {
        state.withLock { state in
            if !state.hasEnded { kill(child, signal) }
        }
    }

    /// Waits for the end, and for the last that is shown: the exit code, or 128 and the signal's number.
    func exitCode() async -> Int32 {
        let limit = SystemClock.shared.schedule(after: .seconds(110)) { [self] in send(SIGKILL) }
        defer { limit.cancel() }
        let status = await ended.value
        // A program that the command has left behind keeps the terminal open.
        let late = SystemClock.shared.schedule(after: .seconds(5)) { [closed] in closed.fulfill(()) }
        defer { late.cancel() }
        await closed.value
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }

    private static func append(_ piece: String, to state: Locked<State>) {
        let found = state.withLock { state in
            state.text += piece
            let found = state.waiting.filter { state.text.contains($0.text) }
            state.waiting.removeAll { state.text.contains($0.text) }
            return found
        }
        for waiter in found { waiter.found.fulfill(true) }
    }

    private static func finish(_ state: Locked<State>, _ master: Int32) {
        let waiting = state.withLock { state in
            close(master)
            state.isOver = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiter in waiting { waiter.found.fulfill(false) }
    }

    #if canImport(Darwin)
        private static let newSession = Int16(POSIX_SPAWN_SETSID)
    #else
        // A GNU extension, which the module map leaves out.
        private static let newSession: Int16 = 0x80
    #endif

    /// A session of its own: the terminal that its leader opens first becomes its controlling one.
    private static func spawn(
        _ path: String, _ arguments: [String], _ environment: [String: String], on terminal: String,
        _ output: String?
    ) throws -> pid_t {
        var all = ProcessInfo.processInfo.environment
        all["NO_COLOR"] = nil
        all["TERM"] = "xterm"
        all["LC_ALL"] = "C.UTF-8"
        all.merge(environment) { $1 }
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
        if let output {
            posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY, 0)
        } else {
            posix_spawn_file_actions_adddup2(&actions, 0, 1)
        }
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, newSession)
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        var settings: [UnsafeMutablePointer<CChar>?] = all.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in words + settings { free(text) } }
        var child: pid_t = 0
        let code = posix_spawn(&child, path, &actions, &attributes, &words, &settings)
        try #require(code == 0, "\(path) can't be started: \(code)")
        return child
    }
}
