import Foundation
import TestSupport
import Testing

@Suite(
    "stepline new --flow", .timeLimit(.minutes(5)), .enabled(if: LibYAML.isNeeded, "\(LibYAML.absence)"))
struct NewFlowTests {
    @Test("new --flow makes a file in YAML that check accepts and that runs as it is")
    func made() async throws {
        let folder = try TemporaryFolder()
        let made = try await Command.run(["new", "--flow", "words"], in: folder.url)
        #expect(made.output == "made words.yaml; continue with: stepline run words.yaml\n", "\(made.errors)")
        #expect(
            try await Command.run(["check", "words.yaml"], in: folder.url).output
                == "words.yaml: no mistakes, 2 tasks\n")
        let run = try await Command.run(["run", "words.yaml"], in: folder.url, as: .process)
        #expect(run.status == 0 && run.output == "4 words, most often \"be\"\n", "\(run.errors)")
        #expect(try folder.text("words.csv").hasPrefix("word,count\nbe,2\nto,2\n"))
        let other = try await Command.run(
            ["run", "words.yaml", "--set", "text=a a b"], in: folder.url)
        #expect(other.output == "2 words, most often \"a\"\n")
    }

    @Test("an existing file is never touched; other endings, folders and a library are refused")
    func refused() async throws {
        let folder = try TemporaryFolder()
        try Data("mine".utf8).write(to: folder.url.appending(path: "a.yml"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.url.appending(path: "b.yaml").path, withDestinationPath: "gone")
        for (words, message) in [
            (["a.yml"], "a.yml already exists"), (["b"], "b.yaml already exists"),
            (["c.json5"], "--flow writes YAML: name the file c.yaml, not c.json5"),
            (["d/"], "'d/' can't be the name of a file"), ([""], "'' can't be the name of a file"),
            (["e", "--library", "."], "--flow: a workflow file has no --library"), ([], "NAME is missing"),
        ] {
            let result = try await Command.run(["new", "--flow"] + words, in: folder.url)
            #expect(result.status == 2 && result.errors.contains(message), "\(result.errors)")
        }
        #expect(try await Command.run(["new", "--flow", "gone/f"], in: folder.url).status == 1)
        #expect(try folder.names() == ["a.yml", "b.yaml"] && folder.text("a.yml") == "mine")
    }
}
