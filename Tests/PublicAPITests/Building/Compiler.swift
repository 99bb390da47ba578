import Foundation
import TestProcesses
import TestSupport
import Testing

/// The compiler, with the modules of this build.
struct Compiler {
    struct Finding: CustomStringConvertible {
        let line: Int
        let message: String
        var description: String { "\n\(line): \(message)" }
    }

    /// Where the module maps of C libraries lie.
    private static let places = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

    /// Whether there is a compiler, and modules beside the test bundle.
    static let isThere = Compiler() != nil
    static let absence: Comment = "there is no swiftc, or there are no modules beside the test bundle"

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

    /// The built command, which lies beside the modules.
    var command: URL? {
        let file = modules.deletingLastPathComponent().appending(path: "stepline")
        return FileManager.default.isExecutableFile(atPath: file.path) ? file : nil
    }

    /// With these it compiles a package's manifest.
    var manifestOptions: [String] {
        let library = program.resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "lib/swift/pm/ManifestAPI")
        return ["-I", library.path, "-package-description-version", "6.1.0"]
    }

    /// Those of the C targets, which the build has made.
    private var moduleMaps: [URL] {
        let products = modules.deletingLastPathComponent()
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: products.path)) ?? []
        return folders.filter { $0.hasPrefix("C") && $0.hasSuffix(".build") }
            .map { products.appending(path: $0).appending(path: "module.modulemap") }
            .filter { FileManager.default.fileExists(atPath: $0.path) }
    }

    /// Compiles one file, and returns its errors.
    func errors(in source: String, options: [String] = []) async throws -> [Finding] {
        try await errors(in: [source], options: options).flatMap(\.self)
    }

    /// Compiles files as one module, and returns the errors of each.
    ///
    /// A call of the compiler costs about a second, whatever it compiles. So sources that have no errors are compiled
    /// together where they can be.
    func errors(in sources: [String], options: [String] = []) async throws -> [[Finding]] {
        let folder = try TemporaryFolder()
        let files = sources.indices.map { folder.url.appending(path: "snippet\($0).swift").path }
        for (source, file) in zip(sources, files) { try Data(source.utf8).write(to: URL(filePath: file)) }
        let process = Process()
        process.executableURL = program
        var arguments = [
            // Isolation is checked behind the types, when code is generated.
            "-emit-sil", "-wmo", "-o", "/dev/null", "-swift-version", "6", "-diagnostic-style", "llvm",
            "-I", modules.path, "-I",
            Self.places.appending(path: "CLibXML2").path, "-I", Self.places.appending(path: "CSQLite").path,
            "-I", "/usr/include/libxml2",
        ]
        arguments += options + moduleMaps.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] } + files
        process.arguments = arguments
        let (text, status) = try await TestProcess.output(of: process, withErrors: true)
        var findings = sources.map { _ in [Finding]() }
        for line in text.split(separator: "\n") {
            guard let finding = finding(in: line) else { continue }
            guard let file = files.firstIndex(where: { line.hasPrefix("\($0):") }) else {
                throw Refusal(description: text)
            }
            findings[file].append(finding)
        }
        // An error without a place, such as an unknown option.
        guard (status != 0) == findings.contains(where: { !$0.isEmpty }) else {
            throw Refusal(description: text)
        }
        return findings
    }

    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    /// Puts a script's lines into a function, behind its imports, so that several can be in one module.
    static func function(_ name: String, of script: String) -> String {
        let lines = script.components(separatedBy: "\n")
        let imports = lines.filter { $0.hasPrefix("import ") }
        let rest = lines.filter { !$0.hasPrefix("import ") }
        return (imports + ["func \(name)() async throws {"] + rest + ["}", ""]).joined(separator: "\n")
    }

    /// `/tmp/snippet.swift:12:5: error: what is wrong`.
    private func finding(in line: Substring) -> Finding? {
        let parts = line.split(separator: ":", maxSplits: 4)
        guard parts.count == 5, parts[3] == " error", let number = Int(parts[1]) else { return nil }
        return Finding(line: number, message: String(parts[4]))
    }
}
