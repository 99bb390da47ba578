import Foundation
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

@testable import SteplineCommand
@testable import SteplinePrograms

/// Runs of the command in one process, each with a session of its own.
@Suite("Sessions", .timeLimit(.minutes(5)))
struct SessionTests {
    private let folder: TemporaryFolder
    private let output: NamelessFile
    private let errors: NamelessFile
    private let signals = SentSignals()

    init() throws {
        folder = try TemporaryFolder()
        output = try NamelessFile()
        errors = try NamelessFile()
    }

    private func session(environment: [String: String] = [:], programs: LivePrograms = .init()) -> Session {
        var session = Session(
            output: OutputHandle(descriptor: output.descriptor, name: "stdout"),
            errors: OutputHandle(descriptor: errors.descriptor, name: "stderr"), environment: environment,
            folder: folder.url)
        session.signals = signals
        session.programs = programs
        return session
    }

    private func write(_ flow: String) throws {
        try Data(flow.utf8).write(to: folder.url.appending(path: "flow.json5"))
    }

    @Test("a signal that is sent to a session interrupts its run", arguments: [SIGINT, SIGTERM])
    func signal(number: Int32) async throws {
        let server = try LoopbackServer()
        server.route("/", .text("x").fault(.silence))
        try write("{ tasks: { a: { steps: [ { load: '\(server.url("/"))' } ] } } }")
        let session = session()
        async let code = SteplineCommand.run(["run", "flow.json5"], in: session)
        await server.waitForRequests(1)
        signals.send(number)
        #expect(await code == .signalled(number))
        let lines = try String(decoding: errors.contents(), as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 2 && lines[0].hasPrefix("0 of 1 done, 1 cancelled in "), "\(lines)")
        #expect(lines.last == "stepline: interrupted")
    }

    @Test("a signal that is sent before the run begins interrupts the run")
    func early() async throws {
        try write("{ tasks: { a: { steps: [ { run: ['tail', '-f', '/dev/null'] } ] } } }")
        signals.send(SIGTERM)
        let session = session(environment: ["PATH": "/usr/bin:/bin"])
        let code = await SteplineCommand.run(["run", "flow.json5", "--allow-run", "tail"], in: session)
        #expect(code == .terminated)
    }

    @Test("a program gets the environment of the session, and no variable of the process")
    func environment() async throws {
        try write("{ tasks: { a: { steps: [ { run: ['env'] }, { save: 'out' } ] } } }")
        let session = session(environment: ["PATH": "/usr/bin:/bin", "OWN": "1"])
        let code = await SteplineCommand.run(
            ["run", "flow.json5", "--allow-run", "env", "--allow-env", "OWN"], in: session)
        #expect(code == .success)
        let names = try folder.text("out").split(separator: "\n").map { $0.prefix { $0 != "=" } }
        #expect(Set(names) == ["PATH", "OWN", Substring(ProcessTable.variable)])
    }

    @Test("the end of a session's programs leaves those of another session alone")
    func programs() async throws {
        try write("{ tasks: { a: { steps: [ { run: ['sh', '-c', 'exit 0'] } ] } } }")
        let closed = LivePrograms()
        closed.endAll()
        let environment = ["PATH": "/usr/bin:/bin"]
        let words = ["run", "flow.json5", "--allow-run", "sh"]
        #expect(
            await SteplineCommand.run(words, in: session(environment: environment, programs: closed))
                == .failure)
        #expect(await SteplineCommand.run(words, in: session(environment: environment)) == .success)
    }
}
