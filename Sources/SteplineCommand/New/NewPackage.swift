import Foundation

/// A template package: a pipeline, a workflow, a test and a Makefile.
struct NewPackage {
    private let name: String
    private let library: LibraryPlace

    /// Creates the package; `name` is used for the package, its program and its module.
    init(named name: String, on library: LibraryPlace) throws(UsageError) {
        let isIdentifier =
            name.first.map { $0.isLetter || $0 == "_" } == true
            && name.allSatisfy { ($0.isLetter || $0.isNumber || $0 == "_") && $0.isASCII }
        guard isIdentifier, !["Stepline", "Foundation", "Testing", "Swift"].contains(name) else {
            throw UsageError(
                "'\(name)' can't be the name of a module: letters, digits and _, and not that of another one")
        }
        self.name = name
        self.library = library
    }

    /// Writes the package to a new folder; removes it after a failure.
    func write(to folder: URL) throws {
        // Without intermediate directories: an existing folder is an error, even if it was created just now.
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        do {
            for (path, text) in files {
                let file = folder.appending(path: path)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
    }

    private var files: [(path: String, text: String)] {
        [
            ("Package.swift", package),
            ("Makefile", makefile),
            (".gitignore", ".build/\n"),
            ("words.txt", "to be or not to be\n"),
            ("Sources/\(name)/CountWords.swift", step),
            ("Sources/\(name)/WordReport.swift", workflow),
            ("Sources/\(name)/Main.swift", main),
            ("Tests/\(name)Tests/\(name)Tests.swift", tests),
        ]
    }

    private var package: String {
        """
        // swift-tools-version: 6.1
        import PackageDescription

        let package = Package(
            name: "\(name)",
            platforms: [.macOS(.v15), .iOS(.v18)],
            dependencies: [
                \(library.dependency)
            ],
            targets: [
                .executableTarget(
                    name: "\(name)", dependencies: [.product(name: "Stepline", package: "\(library.package)")]),
                .testTarget(
                    name: "\(name)Tests",
                    dependencies: [
                        "\(name)", .product(name: "Stepline", package: "\(library.package)"),
                        .product(name: "SteplineTesting", package: "\(library.package)"),
                    ]),
            ]
        )

        """
    }

    private var makefile: String {
        """
        .PHONY: run test

        run:
        \tswift run \(name) words.txt

        test:
        \tswift test

        """
    }

    private var step: String {
        #"""
        import Foundation
        import Stepline

        /// Counts how often each word stands in a text.
        struct CountWords: StepBody {
            func process(_ text: String) -> [String: Int] {
                text.split(whereSeparator: \.isWhitespace).reduce(into: [:]) { $0[String($1), default: 0] += 1 }
            }
        }

        /// Loads a file, and counts its words: a pipeline, in which each step takes what the one before makes.
        func countWords(in file: URL) async throws -> [String: Int] {
            try await Pipeline.run("count") {
                FileLoadStep(file)
                BlockStep { (bytes: Data) in String(decoding: bytes, as: UTF8.self) }
                CountWords()
            }
        }

        """#
    }

    private var workflow: String {
        #"""
        import Foundation
        import Stepline

        /// Counts the words of all files at once, four at a time, and joins what they have: a workflow.
        func wordReport(of files: [URL], options: WorkflowOptions = .init()) async throws -> String {
            let workflow = Workflow("words", options: options)
            let counts = try workflow.map("count", over: files, limit: 4) { file in
                try await countWords(in: file)
            }
            let report = try workflow.add("report", after: counts) { counts in
                let all = counts.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
                let sorted = all.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
                return sorted.map { "\($0.value) \($0.key)\n" }.joined()
            }
            try await workflow.run()
            return try report.readValue()
        }

        """#
    }

    private var main: String {
        """
        import Foundation

        @main
        struct \(name)Program {
            static func main() async throws {
                let files = CommandLine.arguments.dropFirst().map { URL(filePath: $0) }
                print(try await wordReport(of: files), terminator: "")
            }
        }

        """
    }

    private var tests: String {
        """
        import Foundation
        import Stepline
        import SteplineTesting
        import Testing

        @testable import \(name)

        @Test func `a step is called as any function`() {
            #expect(CountWords().process("to be or not to be") == ["to": 2, "be": 2, "or": 1, "not": 1])
        }

        @Test func `a step is tried again without waiting, on a clock that the test moves`() async throws {
            let clock = ManualClock(runsByItself: true)
            let attempts = Recorder<Int>()
            let hourly = RetryPolicy.constant(attempts: 3, delay: .seconds(3600), when: { _ in true })
            let options = PipelineOptions(retry: hourly, clock: clock)
            let counts = try await Pipeline.run(options: options) {
                BlockStep { () in
                    attempts.record(1)
                    if attempts.count < 3 { throw CocoaError(.fileReadUnknown) }
                    return "to be"
                }
                CountWords()
            }
            #expect(counts == ["to": 1, "be": 1] && attempts.count == 3)
        }

        """
    }
}
