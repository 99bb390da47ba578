import Foundation
import SteplineSupport
import TestSupport
import Testing

@testable import SteplinePrograms

@Suite("Programs that are being started when the process is about to end", .timeLimit(.minutes(5)))
struct LiveProgramsTests {
    private let programs = LivePrograms()

    private func start(spawned: () -> Void = {}) throws -> ChildProcess {
        let nothing = try FileHandle(forUpdating: URL(filePath: "/dev/null"))
        let file = nothing.fileDescriptor
        let call = ProgramCall(
            name: "sleep", executable: URL(filePath: "/bin/sleep"), arguments: ["20"],
            folder: FileManager.default.temporaryDirectory, input: nil, limit: 100)
        return try programs.start {
            let program = try ChildProcess(call, input: file, output: file, errors: file)
            spawned()
            return program
        }
    }

    @Test("a program that has started and isn't registered yet is ended with the others")
    func unknown() async throws {
        let areEnded = OneShot<Void>()
        let program = try start {
            Thread { [programs] in
                programs.endAll()
                areEnded.fulfill(())
            }.start()
            while !programs.isClosed { sched_yield() }
        }
        #expect(await program.end == .signalled(SIGKILL))
        await areEnded.value
        programs.forget(program)
    }

    @Test("no program starts after the end has begun")
    func late() {
        programs.endAll()
        #expect(throws: POSIXError.self) { try start() }
    }
}
