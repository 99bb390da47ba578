import Foundation
import SteplineSupport
import TestProcesses
import Testing

@Suite("Start-up", .timeLimit(.minutes(5)))
struct StartUpTests {
    /// How long a program takes from its start until its end is known.
    private func seconds(_ program: URL, _ arguments: [String]) async throws -> Double {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        let ended = OneShot<UInt64>()
        process.terminationHandler = { _ in ended.fulfill(DispatchTime.now().uptimeNanoseconds) }
        let start = DispatchTime.now().uptimeNanoseconds
        try TestProcess.start(process)
        return Double(await ended.value - start) / 1e9
    }

    /// `STEPLINE_COMMAND=.build/release/stepline swift test --filter StartUp` makes the check count.
    @Test("--version takes less than 60 ms in release, Foundation and all")
    func version() async throws {
        let command = try BuiltCommand.executable()
        let nothing = URL(filePath: "/bin/true")
        var (own, other) = (Double.infinity, Double.infinity)
        for _ in 0..<20 {
            own = min(own, try await seconds(command, ["--version"]))
            other = min(other, try await seconds(nothing, []))
        }
        print("stepline --version: \(own * 1000) ms, /bin/true: \(other * 1000) ms, ratio \(own / other)")
        let isRelease = command.resolvingSymlinksInPath().pathComponents.contains("release")
        #expect(own < 0.06 || !isRelease)
    }
}
