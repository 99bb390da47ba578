import Foundation
import Testing

/// Runs the tests, all of which use Swift Testing.
///
/// SwiftPM would otherwise search an index of all sources for tests of XCTest. Making that index takes a fifth of a
/// build.
@main
struct TestProgram {
    static func main() async {
        // `swift test --filter` asks for the tests of XCTest unless it is told that there are none.
        if CommandLine.arguments.contains("--dump-tests-json") {
            let command = "swift test --enable-swift-testing --disable-xctest --filter …"
            FileHandle.standardError.write(Data("error: to filter tests, call: \(command)\n".utf8))
            exit(EXIT_FAILURE)
        }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
