import Foundation
import SteplineSupport

/// A worker in a process of its own, which runs steps of a random workflow.
struct WorkerProcess {
    /// Its process; 0 if it was over before it came to say.
    let number: Int32
    private let running: Task<(lines: [String], wasKilled: Bool), any Error>

    /// Starts it; what is to happen to it is told by words: `work N`, `doze N`, `find N`.
    ///
    /// It is there once it has joined, or has fallen asleep.
    init(_ url: String, seed: UInt64, _ words: [String]) async {
        let number = OneShot<Int32>()
        running = Task {
            defer { number.fulfill(0) }
            return try await KilledProgram.run([url, "\(seed)"] + words) { line in
                number.fulfill(line.split(separator: " ").last.flatMap { Int32($0) } ?? 0)
            }
        }
        self.number = await number.value
    }

    /// Starts several at once, each with its words.
    static func start(_ url: String, seed: UInt64, _ words: [[String]]) async -> [WorkerProcess] {
        let starting = words.map { words in Task { await WorkerProcess(url, seed: seed, words) } }
        var started: [WorkerProcess] = []
        for process in starting { started.append(await process.value) }
        return started
    }

    /// Asks it to leave, if it is still there.
    func leave() { tell(SIGTERM) }

    func wake() { tell(SIGCONT) }

    private func tell(_ signal: Int32) { if number > 0 { _ = kill(number, signal) } }

    /// The report of the process, once it has ended.
    func ended() async throws -> (bodies: [Body], hasReportedLoss: Bool, wasKilled: Bool) {
        let (lines, wasKilled) = try await running.value
        return (lines.compactMap(Body.init), lines.contains("lost"), wasKilled)
    }

    /// A body that it has begun.
    struct Body {
        let name: String
        let began: Date

        init?(_ line: String) {
            let words = line.split(separator: " ")
            guard words.count == 3, words[0] == "body", let seconds = Double(words[2]) else { return nil }
            name = String(words[1])
            began = Date(timeIntervalSince1970: seconds)
        }
    }
}
