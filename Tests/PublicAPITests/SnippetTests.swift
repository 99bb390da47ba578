import Foundation
import TestSupport
import Testing

/// Holds what the documentation shows against the code that is compiled and run here.
@Suite("Snippets", .timeLimit(.minutes(5)))
struct SnippetTests {
    private let pages: [DocumentedPage]
    /// Where what pages go on from is compiled.
    private static let snippets = "Tests/PublicAPITests/Snippets"
    private static let comparison = "\(DocumentedPage.catalog)/Comparison.md"

    init() throws { pages = try DocumentedPage.all() }

    @Test("every block of Swift is a whole program, or says which file it goes on from")
    func everyBlockSaysWhatItIs() {
        for block in pages.flatMap(\.blocks) {
            #expect(!block.language.isEmpty, "\(block) doesn't say in which language it is")
            #expect(
                !block.language.contains("swift") || block.language == "swift", "\(block): \(block.language)")
            guard block.language == "swift" else { continue }
            #expect(
                block.form != nil, "\(block) neither begins with its imports nor with a comment of its file")
        }
        #expect(pages.flatMap(\.swift).count > 130, "there are fewer blocks than there should be")
    }

    @Test("a block that goes on from a file stands in it, in one piece")
    func partsStandInTheirFiles() throws {
        for block in pages.flatMap(\.swift) {
            guard case .part(let name) = block.form else { continue }
            let file = try documentedText(of: "\(Self.snippets)/\(name)")
            let imports = block.body.split(separator: "\n").filter { $0.hasPrefix("import ") }
            for line in imports { #expect(file.contains("\n\(line)\n"), "\(block): \(name) has no \(line)") }
            let isThere = "\n\(lines(of: file))\n".contains("\n\(lines(of: block.body))\n")
            #expect(isThere, "\(block) shows what isn't in \(name):\n\(block.body)")
        }
    }

    @Test("a block that is a file of an example is all of it, and the two pages show or name every program")
    func filesAreWhole() throws {
        let files = try documentedFiles(in: "Sources/Examples", ending: ".swift")
        for block in pages.flatMap(\.swift) {
            guard case .file(let name) = block.form else { continue }
            let path = try #require(files.first { $0.hasSuffix("/\(name)") }, "\(block): there is no \(name)")
            // An import that only some systems have isn't shown.
            let code = try documentedText(of: path)
                .replacing(/\n#if canImport\(\w+\)\n\s*import \w+\n#endif\n/, with: "")
            #expect(block.body == code, "\(block) isn't \(path) as it stands")
        }
        let frames = ["Cookbook", "Recipe", "Comparison", "LoadReport", "Release", "Workshop"]
        for page in pages
        where [Self.comparison, "\(DocumentedPage.catalog)/Cookbook.md"].contains(page.path) {
            let folder = page.path == Self.comparison ? "Comparison" : "Cookbook"
            let programs = files.filter { $0.hasPrefix("Sources/Examples/\(folder)/") }
                .map { URL(filePath: $0).deletingPathExtension().lastPathComponent }.filter {
                    !frames.contains($0)
                }
            let text = try documentedText(of: page.path)
            for program in programs { #expect(text.contains("\(program).swift"), "\(page)") }
        }
    }

    @Test("every program and manifest compiles", .enabled(if: Compiler.isThere, Compiler.absence))
    func programsCompile() async throws {
        let compiler = try #require(Compiler())
        let all = pages.flatMap(\.swift).filter { $0.form == .program || $0.form == .manifest }
        let files = all.enumerated().map { Compiler.function("program\($0)", of: $1.code) }
        let found = try await compiler.errors(
            in: files, options: ["-parse-as-library"] + compiler.manifestOptions)
        for (block, errors) in zip(all, found) { #expect(errors.isEmpty, "\(block): \(errors)") }
        #expect(all.count { $0.form == .program } >= 12)
    }

    @Test(
        "a program compiles alone, as it stands", .soakOnly, .enabled(if: Compiler.isThere, Compiler.absence))
    func programsCompileAlone() async throws {
        let compiler = try #require(Compiler())
        for block in pages.flatMap(\.swift) where block.form == .program {
            let findings = try await compiler.errors(in: block.code)
            #expect(findings.isEmpty, "\(block): \(findings)")
        }
    }

    @Test("README shows its first chain on the first screen, a workflow and a picture on the second")
    func firstScreens() throws {
        let lines = try documentedText(of: "README.md").components(separatedBy: "\n")
        #expect(lines.prefix(20).contains { $0.contains("Pipeline.run {") })
        #expect(lines.prefix(50).contains { $0.contains("try await workflow.run()") })
        #expect(lines.prefix(60).contains { $0.hasPrefix("![The run") })
    }

    @Test("the comparison's table of lines is what its programs have")
    func linesAreCounted() throws {
        let page = try documentedText(of: Self.comparison)
        let ways = ["WithTaskGroup|WithTasks", "WithOperationQueue", "WithStepline"]
        for (row, name) in [("a hundred loads", "Load"), ("a release", "Release"), ("a survey", "Survey")] {
            let counts = try ways.map { way in
                let expected =
                    way.split(separator: "|").map { "/\(name)\($0).swift" }
                    + (way == "WithOperationQueue" ? ["/AsyncOperation.swift"] : [])
                    + (name == "Survey" && way != "WithStepline" ? ["/Journal.swift"] : [])
                return try documentedFiles(in: "Sources/Examples/Comparison", ending: ".swift")
                    .filter { file in expected.contains { file.hasSuffix($0) } }
                    .map { lineCount(of: try documentedText(of: $0)) }.reduce(0, +)
            }
            let line = "| \(row) | \(counts.map(String.init).joined(separator: " | ")) |"
            #expect(page.contains("\n\(line)\n"), "the table should say: \(line)")
        }
    }

    private func lineCount(of code: String) -> Int {
        code.replacing(/#if canImport\(\w+\)\n\s*import \w+\n#endif\n/, with: "")
            .components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .count { !$0.isEmpty && !$0.hasPrefix("//") && !$0.hasPrefix("import ") }
    }

    /// The code without imports, blank lines and indentation.
    private func lines(of code: some StringProtocol) -> String {
        code.components(separatedBy: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && !$0.hasPrefix("import ") }
            .joined(separator: "\n")
    }
}
