import Foundation
import SteplineTesting
import TestSupport
import Testing

/// The processor time and memory of the built command; the cores are shared with other tests.
///
/// `Benchmarks/command` holds a release against absolute times.
@Suite("Cost of flows", .timeLimit(.minutes(10)), .serialized, .soakOnly)
struct CommandCostTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A flow of so many tasks, each of one step.
    private func write(_ count: Int, _ name: String, _ step: (Int) -> String = { "{ value: \($0) }" }) throws
    {
        let tasks = (0..<count).map { "t\($0): { steps: [ \(step($0)) ] }" }.joined(separator: ",\n")
        try Data("{ tasks: {\n\(tasks) } }".utf8).write(to: folder.url.appending(path: name))
    }

    /// The least seconds of processor time that two lines of a shell have taken, in turns: what runs beside them is
    /// then beside both.
    ///
    /// Looked at again, up to four times, until they are as they should be.
    private func leastSeconds(
        _ first: String, _ second: String, until areRight: (Double, Double) -> Bool
    ) async throws -> (Double, Double) {
        var (one, other) = try await (seconds(first), seconds(second))
        for _ in 0..<3 where !areRight(one, other) {
            one = try await min(one, seconds(first))
            other = try await min(other, seconds(second))
        }
        return (one, other)
    }

    /// The seconds of processor time of a shell's line, the children's included; `$S` is the command.
    private func seconds(_ line: String) async throws -> Double {
        let result = try await shell("\(line) >out 2>&1 || { cat out >&2; exit 1; }; times")
        // Two lines, the second of the children: 0m1.05s 0m0.21s, or with a comma.
        let words = try #require(result.output.split(separator: "\n").last).split(separator: " ")
        var total = 0.0
        for word in words { total += try seconds(of: word) }
        return total
    }

    /// The seconds of a text such as `1m2.34s`.
    private func seconds(of word: Substring) throws -> Double {
        let parts = word.replacing(",", with: ".").dropLast().split(separator: "m").compactMap { Double($0) }
        try #require(parts.count == 2, "\(word)")
        return parts[0] * 60 + parts[1]
    }

    private func shell(_ script: String) async throws -> CommandResult {
        let result = try await Command.run(
            ["-c", script], program: URL(filePath: "/bin/sh"),
            environment: ["S": Command.executable().path], in: folder.url)
        try #require(result.status == 0, "\(script): \(result.errors)")
        return result
    }

    @Test("four times as many tasks are checked and run in about four times the time")
    func tasks() async throws {
        try write(2000, "few.json5")
        try write(8000, "many.json5")
        for verb in ["check", "run"] { try await expectLinear("\(verb) few.json5", "\(verb) many.json5") }
    }

    /// Expects that the second, which has four times as much to do, takes less than six times the time of the first.
    private func expectLinear(_ first: String, _ second: String) async throws {
        let (few, many) = try await leastSeconds("\"$S\" \(first)", "\"$S\" \(second)") { $1 < 6 * $0 }
        #expect(many < 6 * few, "\(first): \(few) s, \(second): \(many) s")
    }

    @Test("four times as many elements, or steps of a chain, are run in about four times the time")
    func elementsAndChains() async throws {
        for (count, name) in [(2000, "few"), (8000, "many")] {
            let list = (0..<count).map(String.init).joined(separator: ",")
            let map =
                "{ tasks: { a: { map: [\(list)], concurrency: 4, steps: [ { transform: 'it + 1' } ] } } }"
            try Data(map.utf8).write(to: folder.url.appending(path: "\(name)-map.json5"))
            let steps = String(repeating: "{ transform: 'it + 1' }, ", count: count)
            let chain = "{ tasks: { a: { steps: [ { value: 1 }, \(steps) ] } } }"
            try Data(chain.utf8).write(to: folder.url.appending(path: "\(name)-chain.json5"))
        }
        for kind in ["map", "chain"] {
            try await expectLinear("run few-\(kind).json5", "run many-\(kind).json5")
        }
    }

    @Test("waiting in the lines of pools costs what begins, however many wait")
    func pools() async throws {
        for (count, name) in [(1500, "few"), (6000, "many")] {
            let tasks = (0..<count).map {
                "t\($0): { pools: { p: \(1 + $0 % 2), q: 1 }, priority: '\($0 % 7 == 0 ? "high" : "low")', "
                    + "steps: [ { value: 1 } ] }"
            }
            let text = "{ pools: { p: 2, q: 3 }, tasks: { \(tasks.joined(separator: ",\n")) } }"
            try Data(text.utf8).write(to: folder.url.appending(path: "\(name)-pools.json5"))
        }
        try await expectLinear("run few-pools.json5", "run many-pools.json5")
    }

    @Test("a thousand programs take at most a few times the processor time that xargs takes to run them")
    func programs() async throws {
        try write(1000, "programs.json5") { _ in "{ run: ['true'] }" }
        // Sanitized, the command takes longer, and xargs doesn't.
        let bound = Sanitizers.areAtWork ? 15.0 : 5
        let (own, xargs) = try await leastSeconds(
            "\"$S\" run programs.json5 --allow-run true -j 8", "seq 1000 | xargs -P 8 -n 1 true"
        ) { own, xargs in own < bound * xargs }
        #expect(own < bound * xargs, "\(own) s, xargs \(xargs) s")
    }

    #if os(Linux)
        /// The most memory of a run, in kilobytes, as seen from beside it until it is over.
        ///
        /// Its number is known from a file, and not from the shell's `&`: a shell that has inherited a blocked SIGCHLD
        /// never hears of the end of what it waits for.
        private func memory(_ flow: String) async throws -> Int {
            let script = """
                (sh -c 'echo $$ >number; exec "$S" run \(flow)' >out 2>&1; echo $? >status) &
                until [ -s number ]; do sleep 0.01; done
                read -r number <number
                most=0
                until [ -s status ]; do
                    [ -e /proc/$number/status ] && while read -r key value unit; do
                        [ "$key" = VmHWM: ] && most=$value
                    done </proc/$number/status
                done 2>/dev/null
                read -r status <status
                rm number status
                [ $status = 0 ] && echo $most
                """
            return try #require(Int(try await shell(script).output.split(separator: "\n").last ?? ""))
        }

        @Test("a task takes a few kilobytes, as one of thousands", .enabled(if: !Sanitizers.areAtWork))
        func memory() async throws {
            try write(2500, "few.json5")
            try write(10_000, "many.json5")
            let few = try await memory("few.json5")
            let many = try await memory("many.json5")
            // A debug build takes more than a release build. Each task runs its steps as a pipeline.
            #expect(Double(many - few) / 7500 < 6, "\(few) KB, \(many) KB")
        }
    #endif
}
