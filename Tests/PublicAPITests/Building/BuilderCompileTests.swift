import Foundation
import Testing

/// What the compiler says of lines of steps: run over snippets, against the modules that this test was built with.
@Suite("Builders at compile time", .timeLimit(.minutes(5)))
struct BuilderCompileTests {
    @Test(
        "PL-27: a step whose input isn't what the step before makes is a compile error, and all else compiles"
    )
    func lines() throws {
        guard let compiler = Compiler() else {
            print("skipped: no swiftc, or no modules beside the test bundle")
            return
        }
        let found = try compiler.errors(in: Self.snippet)
        let lines = Self.snippet.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        let wanted = Set(lines.filter { $0.element.contains("// error") }.map { $0.offset + 1 })
        // Where a line of steps has no type, the compiler also says so at its first line.
        let follows = Set(lines.filter { $0.element.hasSuffix("= Pipeline {") }.map { $0.offset + 1 })
        #expect(Set(found.map(\.line)).subtracting(follows) == wanted, "\(found)")
    }

    private static let snippet = """
        import Foundation
        import Stepline

        struct City: Codable, Sendable {}
        let text = BlockStep { "text" }
        let count = BlockStep { (text: String) in text.count }
        let decode = BlockStep { (data: Data) in try JSONDecoder().decode(City.self, from: data) }
        let half = BlockStep { (number: Int) in number / 2 }
        let double = BlockStep { (number: Int) async in number * 2 }
        let perhaps = BlockStep { (number: Int?) in "text" }
        let bag = BlockStep { (bag: Content) in bag }
        let load = FileLoadStep(URL(filePath: "/a"))
        let isOn = CommandLine.arguments.count > 1

        // What compiles, and as what.
        func good() async throws {
            let city: City = try await Pipeline.run { load; decode }
            let number: Int = try await Pipeline.run { text; count; half; double }
            let anywhere: Int = try await Pipeline.run { text; count; perhaps; bag; text; load; bag; count }
            let choice: Int = try await Pipeline.run { text; count; if isOn { half } else { double } }
            let loop: Int = try await Pipeline.run { text; count; for _ in 0..<3 { half } }
            let option: Int = try await Pipeline.run { text; count; if isOn { half; double } }
            let beside: Int = try await Pipeline.run { text; decode.byKeys(); count }
            _ = (city, number, anywhere, choice, loop, option, beside)
        }

        // What doesn't.
        let one = Pipeline {
            text
            half  // error
        }
        let two = Pipeline {
            load
            count  // error
        }
        let three = Pipeline {
            BlockStep { () -> Int? in 3 }
            half  // error
        }
        let four = Pipeline {  // error
            text
            if isOn { count } else { BlockStep { (text: String) in [text] } }
        }
        let five = Pipeline {
            text
            for _ in 0..<3 { count }  // error
        }
        func bad() async throws {
            let wrong: City = try await Pipeline.run { text; count }  // error
        }
        let final = BlockStep<Int, Int>()  // error
        final class Own: BlockStep<Int, Int> {}  // error
        final class OwnLoad: FileLoadStep {}  // error
        final class OwnSave: FileSaveStep {}  // error
        extension StepOperation { func set() { error = nil } }  // error
        extension StepOperation { func give() { pipeline = nil } }  // error
        """
}

/// The compiler, with the modules of this build.
private struct Compiler {
    struct Finding: CustomStringConvertible {
        let line: Int
        let message: String
        var description: String { "\n\(line): \(message)" }
    }

    /// Where the module maps of C libraries lie.
    private static let doors = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

    private let modules: URL
    private let program: URL

    init?() {
        guard let bundle = CommandLine.arguments.first else { return nil }
        let files = FileManager.default
        var folder = URL(filePath: bundle).deletingLastPathComponent()
        // On some systems the bundle is a folder that holds the program.
        for _ in 0..<4 where !files.fileExists(atPath: folder.appending(path: "Modules").path) {
            folder.deleteLastPathComponent()
        }
        modules = folder.appending(path: "Modules")
        guard files.fileExists(atPath: modules.appending(path: "Stepline.swiftmodule").path) else {
            return nil
        }
        let places = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let programs = places.map { URL(filePath: String($0)).appending(path: "swiftc") }
        guard let program = programs.first(where: { files.isExecutableFile(atPath: $0.path) }) else {
            return nil
        }
        self.program = program
    }

    /// Those of the C targets, which the build has made.
    private var moduleMaps: [URL] {
        let products = modules.deletingLastPathComponent()
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: products.path)) ?? []
        return folders.filter { $0.hasPrefix("C") && $0.hasSuffix(".build") }
            .map { products.appending(path: $0).appending(path: "module.modulemap") }
            .filter { FileManager.default.fileExists(atPath: $0.path) }
    }

    func errors(in snippet: String) throws -> [Finding] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "stepline-compile-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "snippet.swift")
        try Data(snippet.utf8).write(to: file)
        let process = Process()
        let output = Pipe()
        process.executableURL = program
        process.arguments = [
            "-typecheck", "-swift-version", "6", "-parse-as-library", "-diagnostic-style", "llvm", "-I",
            modules.path, "-I", Self.doors.appending(path: "CLibXML2").path, "-I", "/usr/include/libxml2",
        ]
        process.arguments? += moduleMaps.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] } + [file.path]
        process.standardError = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap(finding)
    }

    /// `/tmp/snippet.swift:12:5: error: what is wrong`.
    private func finding(in line: Substring) -> Finding? {
        let parts = line.split(separator: ":", maxSplits: 4)
        guard parts.count == 5, parts[3] == " error", let number = Int(parts[1]) else { return nil }
        return Finding(line: number, message: String(parts[4]))
    }
}
