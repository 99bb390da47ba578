import Foundation
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("Workflow files: the folder", .timeLimit(.minutes(5)))
struct FlowFolderTests {
    private let place: TemporaryFolder
    private let folder: FlowFolder

    init() throws {
        place = try TemporaryFolder()
        let files = FileManager.default
        try files.createDirectory(
            at: place.url.appending(path: "in/below"), withIntermediateDirectories: true)
        try files.createDirectory(at: place.url.appending(path: "in-side"), withIntermediateDirectories: true)
        try Data("secret".utf8).write(to: place.url.appending(path: "secret"))
        folder = FlowFolder(ofFile: "in/flow.json5", in: place.url.path)
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: place.url.appending(path: name).path, withDestinationPath: target)
    }

    @Test(
        "a path inside the folder resolves, whether it exists or not",
        arguments: ["a.txt", "./a.txt", "below/a", "below/../a", "new/folder/a", "x/../../in/a"])
    func inside(path: String) throws {
        #expect(try folder.resolve(path).path.hasPrefix(folder.root + "/"))
    }

    @Test(
        "a path outside the folder is refused",
        arguments: [
            "../secret", "/etc/passwd", "below/../../secret", "../in-side/a", "..", "new/../../secret",
            "a\0b", "../\u{301}a", "x/../../\u{301}a", "x/../../\u{301}y/a", "below/../../\u{600}/a",
        ])
    func outside(path: String) {
        #expect(throws: FlowFolder.Refusal.self) { try folder.resolve(path) }
    }

    @Test("a name is told in its folder, whatever letters are in the folder's")
    func names() throws {
        let folder = FlowFolder(apart: place.url.appending(path: "Prüfung e\u{301}").path)
        #expect(folder.inside(folder.root + "/in/datei.csv") == "in/datei.csv")
        #expect(folder.inside(folder.root + "/\u{301}x") == "\u{301}x")
        #expect(try folder.resolve("\u{301}x/../\u{301}y").path == folder.root + "/\u{301}y")
        // Another folder to the system, if not to a reader.
        let alike = place.url.appending(path: "Prüfung \u{E9}").path
        #expect(folder.inside(alike + "/a") == nil)
        #expect(throws: FlowFolder.Refusal.self) { try folder.resolve(alike + "/a") }
    }

    @Test("links that lead out are refused, also dangling, relative, of folders and in a chain")
    func links() throws {
        try link("in/file", to: "../secret")
        try link("in/absolute", to: place.url.appending(path: "secret").path)
        try link("in/dangling", to: "../not-there")
        try link("in/folder", to: "..")
        try link("in/chain", to: "file")
        try link("in/circle", to: "circle")
        for path in [
            "file", "absolute", "dangling", "folder/secret", "folder", "chain", "circle", "below/../file",
        ] {
            #expect(throws: FlowFolder.Refusal.self, "\(path)") { try folder.resolve(path) }
        }
        try link("in/fine", to: "below")
        #expect(try folder.resolve("fine/a").path == folder.root + "/below/a")
    }

    @Test("--allow-path allows its folder, and nothing else")
    func allowed() throws {
        let folder = FlowFolder(ofFile: "in/flow.json5", allowing: ["in-side"], in: place.url.path)
        #expect(try folder.resolve("../in-side/a").path.hasSuffix("/in-side/a"))
        #expect(throws: FlowFolder.Refusal.self) { try folder.resolve("../secret") }
        #expect(throws: FlowFolder.Refusal.self) { try folder.resolve("../in-sided") }
    }

    @Test("the workflow file itself is never written")
    func ownFile() throws {
        try link("in/alias", to: "flow.json5")
        for path in ["flow.json5", "./flow.json5", "below/../flow.json5", "alias"] {
            #expect(throws: FlowFolder.Refusal.self) { try folder.resolveForWriting(path) }
        }
        #expect(try folder.resolve("flow.json5").path.hasSuffix("/in/flow.json5"))
    }
}
