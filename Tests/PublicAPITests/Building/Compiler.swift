import Foundation
import TestProcesses

/// The compiler, with the modules of this build.
struct Compiler {
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

    func errors(in snippet: String, options: [String] = []) async throws -> [Finding] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "stepline-compile-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "snippet.swift")
        try Data(snippet.utf8).write(to: file)
        let process = Process()
        process.executableURL = program
        process.arguments = [
            // Beyond the types: what is sent between actors is only looked at as code is made.
            "-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-diagnostic-style", "llvm",
            "-I", modules.path, "-I",
            Self.doors.appending(path: "CLibXML2").path, "-I", Self.doors.appending(path: "CSQLite").path,
            "-I", "/usr/include/libxml2",
        ]
        process.arguments? +=
            options + moduleMaps.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] } + [file.path]
        let (text, _) = try await TestProcess.output(of: process, withErrors: true)
        return text.split(separator: "\n").compactMap(finding)
    }

    /// `/tmp/snippet.swift:12:5: error: what is wrong`.
    private func finding(in line: Substring) -> Finding? {
        let parts = line.split(separator: ":", maxSplits: 4)
        guard parts.count == 5, parts[3] == " error", let number = Int(parts[1]) else { return nil }
        return Finding(line: number, message: String(parts[4]))
    }
}
