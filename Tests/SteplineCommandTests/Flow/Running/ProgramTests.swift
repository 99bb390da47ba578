import Foundation
import SteplineSupport
import SteplineTesting
import TestProcesses
import TestSupport
import Testing

@testable import SteplineCommand
@testable import SteplinePrograms

@Suite("Workflow files: external programs", .timeLimit(.minutes(5)))
struct ProgramTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs a script, whose first argument is a file of the folder.
    private func output(
        _ script: String, input: Data? = nil, limit: Int = 1 << 20, clock: any StepClock = .system
    ) async throws -> Data {
        let call = ProgramCall(
            name: "script", executable: URL(filePath: "/bin/sh"), arguments: ["-c", script, "sh"],
            folder: folder.url, input: input, limit: limit)
        return try await ProgramRun.output(of: call, clock: clock)
    }

    private func failure(_ script: String, limit: Int = 1 << 20) async -> String {
        do {
            return "no failure but \(try await output(script, limit: limit))"
        } catch {
            return "\(error)"
        }
    }

    @Test("a program reads the value and writes the new one, of any size, in the workflow's folder")
    func roundTrip() async throws {
        let data = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let calls: [(script: String, input: Data?, output: Data)] = [
            ("cat", data, data), ("cat", nil, Data()), ("true", data, Data()),
        ]
        for (script, input, expected) in calls {
            #expect(try await output(script, input: input) == expected)
        }
        let here = try await output("pwd -P")
        let expected = PathResolver.resolve(folder.url.path, in: "/")
        #expect(String(decoding: here, as: UTF8.self) == "\(expected ?? "")\n")
    }

    @Test("arguments are passed as they are: no shell sees them")
    func arguments() async throws {
        let call = ProgramCall(
            name: "printf", executable: URL(filePath: "/usr/bin/printf"),
            arguments: ["[%s]", "a b", "$HOME", "; ls", "*", "'\"`x`"], folder: folder.url, input: nil,
            limit: 1000)
        let output = try await ProgramRun.output(of: call, clock: .system)
        #expect(String(decoding: output, as: UTF8.self) == "[a b][$HOME][; ls][*]['\"`x`]")
    }

    @Test("a failure has the exit code or signal, and the end of standard error")
    func failures() async {
        for (script, expected) in [
            ("echo out; echo sorry >&2; exit 3", "script ended with 3: sorry"),
            ("exit 1", "script ended with 1"), ("kill -9 $$", "script was ended by signal 9"),
        ] {
            #expect(await failure(script) == expected)
        }
        let many = await failure("i=0; while [ $i -lt 2000 ]; do echo line $i >&2; i=$((i+1)); done; exit 1")
        #expect(many.hasSuffix("line 1999") && many.utf8.count < 5000)
        let long = await failure("echo first >&2; printf 'long: %05000d' 0 >&2; exit 1")
        // Whether the short line before is kept depends on the pieces that the pipe gives.
        #expect(long.contains("long: 000") && long.hasSuffix("0…"), "\(long.prefix(100))")
        let ended = await failure(
            "{ head -c 100000 /dev/zero | tr '\\0' 0; echo; } >&2; exit 1")
        #expect(ended.hasPrefix("script ended with 1: 0000") && ended.hasSuffix("0…"))
    }

    @Test("a flood of standard error without a line end is read in time by its length, at memory's speed")
    func errorFlood() {
        var tail = ErrorTail()
        let flood = Data(repeating: UInt8(ascii: "x"), count: 1 << 16)
        let start = ContinuousClock.now
        for _ in 0..<320 { tail.append(flood) }
        // 20 MB took 1.7 s byte by byte.
        if Chance.isSoak { #expect(ContinuousClock.now - start < .milliseconds(800)) }
        #expect(tail.text.hasPrefix("xxx") && tail.text.hasSuffix("x…"))
    }

    @Test("the last lines of standard error are the same however they come in pieces")
    func errorTail() {
        let texts = [
            (0..<3000).map { "line \($0)\n" }.joined(), String(repeating: "x", count: 9000) + "\nend",
            "a\n" + String(repeating: "y", count: 5000), String(repeating: "\n", count: 9000) + "b\n",
        ]
        for text in texts {
            for size in [1, 7, 4095, 4096, 4097, 65536] {
                var tail = ErrorTail()
                var rest = Data(text.utf8)[...]
                while !rest.isEmpty {
                    tail.append(Data(rest.prefix(size)))
                    rest = rest.dropFirst(size)
                }
                // Pieces decide which whole lines in front are dropped, never what stands at the end.
                let last = text.split(separator: "\n").last.map(String.init) ?? ""
                #expect(tail.text.hasSuffix(last.count > 4096 ? last.prefix(4096) + "…" : last))
                #expect(tail.text.utf8.count <= 2 * 4096 + 4)
            }
        }
    }

    @Test(
        "a program's exit status is known although the command's parent ignores SIGCHLD",
        arguments: [("true", 0), ("false", 1)])
    func ignoredEnds(program: String, status: Int32) async throws {
        let flow = try FlowCommandRun("{ tasks: { a: { steps: [ { run: ['\(program)'] } ] } } }")
        let command = try Command.executable().path
        // Not every shell can ignore them.
        let result = try await Command.run(
            ["-c", "trap '' CHLD; exec \"$0\" run flow.json5 --allow-run \(program)", command],
            program: URL(filePath: "/bin/bash"), in: flow.folder.url)
        #expect(result.status == status, "\(result.errors)")
    }

    @Test("a script that was just written runs, although other programs start meanwhile")
    func justWritten() async throws {
        let isOver = Locked(false)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { while !isOver.withLock({ $0 }) { _ = try await output("exit 0") } }
            }
            defer { isOver.withLock { $0 = true } }
            for number in 0..<(Chance.isSoak ? 200 : 50) {
                let script = folder.url.appending(path: "script\(number)")
                try TestProcess.write("#!/bin/sh\necho \(number)\n", to: script.path)
                let call = ProgramCall(
                    name: "script", executable: script, arguments: [], folder: folder.url,
                    input: nil, limit: 100)
                let text = try await ProgramRun.output(of: call, clock: .system)
                #expect(String(decoding: text, as: UTF8.self) == "\(number)\n")
            }
        }
    }

    @Test("a program that catches the signal at its time limit and ends with 0 has failed")
    func caughtSignal() async {
        let call = ProgramCall(
            name: "script", executable: URL(filePath: "/bin/sh"),
            arguments: ["-c", "trap 'exit 0' TERM; echo part; while :; do sleep 0.01; done"],
            folder: folder.url, input: nil, limit: 100, timeLimit: .milliseconds(300))
        let error = await #expect(throws: ProgramFailure.self) {
            try await ProgramRun.output(of: call, clock: .system)
        }
        #expect(error?.description == "script took longer than 0.3 seconds" && error?.isTimeOut == true)
    }

    @Test("a program is ended at the limit of its output, also an endless one")
    func limit() async {
        #expect(await failure("yes", limit: 100_000) == "script wrote more than 100000 bytes")
        #expect(await failure("echo 12345", limit: 5) == "script wrote more than 5 bytes")
        #expect(await failure("printf 12345", limit: 5).hasPrefix("no failure"))
    }

    @Test("cancelling ends the program and its children")
    func cancelling() async throws {
        let fifo = folder.url.appending(path: "alive").path
        try #require(mkfifo(fifo, 0o600) == 0)
        // As long as the program or its child has the pipe open for writing, reading it doesn't end.
        let task = Task { try await output("exec 3>alive; echo up >&3; tail -f /dev/null | tr x y") }
        let reader = OneShot<String>()
        let begun = OneShot<Void>()
        Thread {
            let handle = FileHandle(forReadingAtPath: fifo)
            let first = handle?.availableData ?? Data()
            begun.fulfill(())
            let rest = (try? handle?.readToEnd()) ?? Data()
            reader.fulfill(String(decoding: first + rest, as: UTF8.self))
        }.start()
        await begun.value
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(await reader.value == "up\n")
    }

    @Test("a program that ignores SIGTERM is killed after its grace")
    func stubborn() async throws {
        let fifo = folder.url.appending(path: "alive").path
        try #require(mkfifo(fifo, 0o600) == 0)
        let clock = ManualClock()
        let task = Task {
            try await output("trap '' TERM; exec 3>alive; echo up >&3; tail -f /dev/null", clock: clock)
        }
        let begun = OneShot<Void>()
        Thread {
            let handle = FileHandle(forReadingAtPath: fifo)
            _ = handle?.availableData
            begun.fulfill(())
        }.start()
        await begun.value
        task.cancel()
        await clock.waitForScheduled(after: .seconds(2))
        clock.advance(by: .seconds(10))
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("a child that outlives the program doesn't hold up the end")
    func orphan() async throws {
        let clock = ManualClock()
        let task = Task { try await output("echo done; tail -f /dev/null & exit 0", clock: clock) }
        await clock.waitForScheduled(after: .seconds(2))
        clock.advance(by: .seconds(10))
        #expect(String(decoding: try await task.value, as: UTF8.self) == "done\n")
    }

    @Test("a program finds no descriptor but its three, no blocked signal, and a group of its own", .withPS)
    func surroundings() async throws {
        let text = String(
            decoding: try await output("ls /dev/fd/ | wc -l; ps -o pgid= -p $$; echo $$; trap"),
            as: UTF8.self)
        let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        // The three, and the one by which the folder is read.
        #expect(lines.first == "4")
        #expect(lines.count == 3 && lines[1] == lines[2])
    }

    @Test("a program that isn't there, or can't be run, fails")
    func missing() async throws {
        let call = ProgramCall(
            name: "nothing", executable: folder.url.appending(path: "nothing"), arguments: [],
            folder: folder.url,
            input: nil, limit: 10)
        let error = await #expect(throws: ProgramFailure.self) {
            try await ProgramRun.output(of: call, clock: .system)
        }
        #expect(error?.description.hasPrefix("nothing can't be run: ") == true)
    }
}
