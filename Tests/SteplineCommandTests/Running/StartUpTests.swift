import Foundation
import Testing

@Suite("Start-up", .serialized, .timeLimit(.minutes(2)))
struct StartUpTests {
    /// How long a program takes from its start until it has been waited for, at best.
    private func seconds(_ program: URL, _ arguments: [String]) throws -> Double {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        let start = DispatchTime.now().uptimeNanoseconds
        try process.run()
        process.waitUntilExit()
        return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
    }

    @Test("--version takes less than 60 ms in release, Foundation and all")
    func version() throws {
        let command = try BuiltCommand.executable()
        let nothing = URL(filePath: "/bin/true")
        var (own, other) = (Double.infinity, Double.infinity)
        for _ in 0..<20 {
            own = min(own, try seconds(command, ["--version"]))
            other = min(other, try seconds(nothing, []))
        }
        print("stepline --version: \(own * 1000) ms, /bin/true: \(other * 1000) ms, ratio \(own / other)")
        #if !DEBUG
            #expect(own < 0.06)
        #endif
    }
}
