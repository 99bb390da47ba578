import Foundation
import Testing

/// The package's own folder.
private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

/// The text of a file of the package.
func documentedText(of path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
}

/// Holds what the documentation shows against the code that is compiled and run here.
@Suite("Snippets", .timeLimit(.minutes(5)))
struct SnippetTests {
    /// Every file with snippets for users, and the file in `Snippets/` that compiles them.
    static let pages = [
        ("README.md", "ReadmeSnippets.swift"),
        ("Sources/Stepline/Documentation.docc/Stepline.md", "ReadmeSnippets.swift"),
        ("Sources/Stepline/Documentation.docc/FirstPipeline.md", "GuideSnippets.swift"),
        ("Sources/Stepline/Documentation.docc/LoadAndParse.md", "LoadingSnippets.swift"),
        ("Sources/Stepline/Documentation.docc/Network.md", "LoadingSnippets.swift"),
        ("Sources/Stepline/Documentation.docc/JSONAndCSV.md", "JSONSnippets.swift"),
        ("Sources/Stepline/Documentation.docc/Workflows.md", "WorkflowSnippets.swift"),
        ("Sources/Stepline/Documentation.docc/WritingSteps.md", "GuideSnippets.swift"),
        ("Sources/Stepline/Documentation.docc/RetryAndCancel.md", "GuideSnippets.swift"),
        ("Sources/Stepline/Documentation.docc/Guarantees.md", "GuideSnippets.swift"),
        ("Sources/Stepline/Documentation.docc/InterceptRequests.md", "InterceptRequestsSnippets.swift"),
        ("Sources/Stepline/Documentation.docc/TestYourSteps.md", "TestYourStepsSnippets.swift"),
        ("Sources/Stepline/Documentation.docc/SeeWhatHappened.md", "SeeWhatHappenedSnippets.swift"),
        ("Sources/Stepline/Documentation.docc/Errors.md", "SeeWhatHappenedSnippets.swift"),
        ("Sources/Stepline/Documentation.docc/Feeds.md", "FeedSnippets.swift"),
        ("Sources/Stepline/Documentation.docc/FromXMLCoder.md", "FeedSnippets.swift"),
        ("Sources/Stepline/Documentation.docc/DurableRuns.md", "DurableRunsSnippets.swift"),
        ("Sources/Stepline/Documentation.docc/RunStores.md", "DurableRunsSnippets.swift"),
        ("Sources/Stepline/Documentation.docc/FromBkTask.md", "FromBkTaskSnippets.swift"),
        ("Sources/Stepline/Documentation.docc/FromTaskFramework.md", "FromTaskFrameworkSnippets.swift"),
        ("Sources/Stepline/Documentation.docc/FromTasker.md", "FromTaskerSnippets.swift"),
    ]

    @Test("every snippet is compiled by a test, as it stands", arguments: pages)
    func snippetsAreCompiled(page: String, code: String) throws {
        let compiled = normalized(try documentedText(of: "Tests/PublicAPITests/Snippets/\(code)"))
        for snippet in swiftBlocks(in: try documentedText(of: page)) where !snippet.contains(".package(") {
            // What stands at the top of a page's snippet may be spread over a file: each paragraph is looked up.
            for paragraph in snippet.components(separatedBy: "\n\n") {
                let wanted = normalized(paragraph)
                let isCompiled = wanted.isEmpty || compiled.contains(wanted)
                #expect(isCompiled, "\(page) shows what no test compiles:\n\(paragraph)")
            }
        }
    }

    /// The page whose programs are files of an example, each whole.
    static let cookbook = "Sources/Stepline/Documentation.docc/Cookbook.md"

    @Test("the cookbook shows every recipe as it stands in its file, and nothing else")
    func recipesAreFiles() throws {
        let folder = root.appending(path: "Sources/Examples/Cookbook")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".swift") && !["Cookbook.swift", "Recipe.swift"].contains($0) }
        let programs = try files.map { file in
            let code = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            // An import that only some systems have isn't shown either.
            return normalized(code.replacing(/#if canImport\(\w+\)\n\s*import \w+\n#endif\n/, with: ""))
        }
        let shown = swiftBlocks(in: try documentedText(of: Self.cookbook)).map(normalized)
        for (file, program) in zip(files, programs) {
            #expect(shown.contains(program), "the cookbook doesn't show \(file) as it stands")
        }
        #expect(shown.count == programs.count, "the cookbook shows what no file has")
    }

    @Test("README shows its first chain within its first 20 lines")
    func firstScreenful() throws {
        let lines = try documentedText(of: "README.md").components(separatedBy: "\n")
        #expect(lines.prefix(20).contains { $0.contains("Pipeline.run {") })
    }

    @Test("every page of the catalog is held against code")
    func everyPageIsListed() throws {
        let catalog = root.appending(path: "Sources/Stepline/Documentation.docc")
        let pages = try FileManager.default.contentsOfDirectory(atPath: catalog.path)
            .filter { $0.hasSuffix(".md") }
        for page in pages {
            let path = "Sources/Stepline/Documentation.docc/\(page)"
            let hasSnippets = !swiftBlocks(in: try documentedText(of: path)).isEmpty
            let isHeld = path == Self.cookbook || Self.pages.contains { $0.0 == path }
            #expect(!hasSnippets || isHeld, "\(page) isn't held against code")
        }
    }

    private func swiftBlocks(in page: String) -> [String] {
        page.components(separatedBy: "\n```").compactMap { block in
            block.hasPrefix("swift\n") ? String(block.dropFirst("swift\n".count)) : nil
        }
    }

    /// The code without imports, blank lines and indentation.
    private func normalized(_ code: String) -> String {
        code.components(separatedBy: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && !$0.hasPrefix("import ") }
            .joined(separator: "\n")
    }
}
