import Foundation
import TestSupport
import Testing

@Suite("stepline new", .timeLimit(.minutes(5)))
struct NewPackageTests {
    /// This package.
    private static let library = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    private func new(_ arguments: String..., in folder: TemporaryFolder) async throws -> CommandResult {
        try await Command.run(["new"] + arguments, in: folder.url)
    }

    @Test("new makes a package whose manifest SwiftPM accepts")
    func made() async throws {
        let folder = try TemporaryFolder()
        let result = try await new("Words", "--library", Self.library, in: folder)
        #expect(result.status == 0 && result.complaints.isEmpty, "\(result)")
        #expect(result.output == "made Words; continue with: cd Words && make run\n")
        #expect(
            try folder.names(in: "Words")
                == [".gitignore", "Makefile", "Package.swift", "Sources", "Tests", "words.txt"])
        #expect(
            try folder.names(in: "Words/Sources/Words") == [
                "CountWords.swift", "Main.swift", "WordReport.swift",
            ])
        #expect(try folder.text("Words/Makefile").contains("run:\n\tswift run Words words.txt\n"))
        guard let swift = Self.swift else {
            print("skipped: no swift in PATH")
            return
        }
        let description = try await Command.run(
            ["package", "dump-package"], program: swift, in: folder.url.appending(path: "Words"))
        #expect(description.status == 0, "\(description.errors)")
        #expect(description.output.contains(#""name" : "WordsTests""#))
    }

    @Test("a relative path of the library stays relative to the new package, an absolute one absolute")
    func relative() async throws {
        let folder = try TemporaryFolder()
        let library = folder.url.appending(path: "stepline")
        try FileManager.default.createDirectory(at: library, withIntermediateDirectories: true)
        try Data().write(to: library.appending(path: "Package.swift"))
        #expect(try await new("Words", "--library", "stepline", in: folder).status == 0)
        #expect(try folder.text("Words/Package.swift").contains(#"path: "../stepline")"#))
        #expect(try await new("Other", "--library", library.path, in: folder).status == 0)
        #expect(try folder.text("Other/Package.swift").contains("path: \"\(library.path)\")"))
    }

    @Test("a repository's library comes with a version, and its package has the repository's name")
    func repository() async throws {
        let folder = try TemporaryFolder()
        let url = "https://git.example.com/steps/stepline-mirror.git"
        let without = try await new("Words", "--library", url, in: folder)
        #expect(without.status == 2 && without.errors.contains("--from-version"))
        let wrong = try await new("Words", "--library", url, "--from-version", "latest", in: folder)
        #expect(wrong.status == 2 && wrong.errors.contains("no version such as 1.2.3"))
        #expect(try folder.names() == [])
        #expect(try await new("Words", "--library", url, "--from-version", "0.1.0", in: folder).status == 0)
        let description = try folder.text("Words/Package.swift")
        #expect(description.contains(#".package(url: "\#(url)", from: "0.1.0")"#))
        #expect(description.contains(#".product(name: "SteplineTesting", package: "stepline-mirror")"#))
    }

    @Test(
        "existing files are never touched, and invalid names are refused",
        arguments: ["1Words", "a-b", "Stepline", ""])
    func refused(name: String) async throws {
        let folder = try TemporaryFolder()
        let result = try await new(name, "--library", Self.library, in: folder)
        #expect(result.status == 2 && result.errors.contains("can't be the name of a module"))
        #expect(try await new("Words", in: folder).errors.contains("--library is missing"))
        let empty = try await new("Words", "--library", ".", in: folder)
        #expect(empty.status == 2 && empty.errors.contains("there is no Package.swift"))
        #expect(try folder.names() == [])
        try Data("mine".utf8).write(to: folder.url.appending(path: "Words"))
        let again = try await new("Words", "--library", Self.library, in: folder)
        #expect(again.status == 2 && again.errors.contains("Words already exists"))
        #expect(try folder.text("Words") == "mine")
    }

    private static var swift: URL? {
        let places = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return places.map { URL(filePath: String($0)).appending(path: "swift") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}
