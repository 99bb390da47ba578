import Foundation
import SteplineSupport
import TestProcesses
import TestSupport
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

    private static let isRelease =
        (try? Command.executable().resolvingSymlinksInPath().pathComponents.contains("release")) == true

    @Test(
        "--version takes less than 60 ms in release", .soakOnly,
        .enabled(if: isRelease, "STEPLINE_COMMAND is no release build"))
    func version() async throws {
        let command = try Command.executable()
        let nothing = URL(filePath: "/usr/bin/true")
        var (own, other) = (Double.infinity, Double.infinity)
        for _ in 0..<20 {
            own = min(own, try await seconds(command, ["--version"]))
            other = min(other, try await seconds(nothing, []))
        }
        print("stepline --version: \(own * 1000) ms, /bin/true: \(other * 1000) ms, ratio \(own / other)")
        #expect(own < 0.06)
    }
}
