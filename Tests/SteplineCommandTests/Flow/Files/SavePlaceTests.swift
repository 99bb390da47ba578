import Foundation
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("Workflow files: save into a folder", .timeLimit(.minutes(5)))
struct SavePlaceTests {
    /// Saves a value under each name of a list that stands for a server's answer.
    private func save(_ place: String, names: String) async throws -> (CommandResult, FlowCommandRun) {
        let flow = try FlowCommandRun(
            """
            { tasks: {
              list: { steps: [ { load: "list.json" }, { parse: "json" } ] },
              each: { after: "list", map: "${tasks.list}", steps: [ { value: "${item}" }, { save: \(place) } ] },
            } }
            """)
        try flow.write(names, to: "list.json")
        return (try await flow("run", "flow.json5"), flow)
    }

    @Test("the file is in the folder, under the name that the values make")
    func inside() async throws {
        let (result, flow) = try await save(
            #"{ in: "pages/new", name: "${item}" }"#, names: #"["a.txt", ".b", "~"]"#)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try flow.folder.names(in: "pages/new") == [".b", "a.txt", "~"])
        let (second, other) = try await save(#"{ in: "./", name: "${item}-${index}.txt" }"#, names: #"["c"]"#)
        #expect(second.status == 0, "\(second.errors)")
        #expect(try other.folder.text("c-0.txt") == "c")
    }

    @Test("a name never leaves the folder", arguments: ["..", ".", "../x", "a/b", "/etc/x", "\\u0000", ""])
    func outside(name: String) async throws {
        let (result, flow) = try await save(#"{ in: "pages", name: "${item}" }"#, names: "[\"\(name)\"]")
        #expect(result.status == 1, "\(result.errors)")
        #expect(Set(try flow.folder.names()).subtracting(["pages"]) == ["flow.json5", "list.json"])
    }

    @Test(
        "places that are no folder and name are mistakes before the run",
        arguments: [
            (#"{ in: "pages" }"#, "save has no \"name\""), (#"{ name: "x" }"#, "save has no \"in\""),
            (#"{ in: "pages", name: "a/b" }"#, "name is one name, without \"/\""),
            (#"{ in: "", name: "a" }"#, "there is no folder to save to"),
            (#"{ in: "pages", name: "" }"#, "there is no name to save to"),
            (#"{ in: "${item}", name: "a" }"#, "a path can't begin with a load's or a program's output"),
            (#"{ in: "pages", nam: "a" }"#, "unknown key \"nam\" in save"), ("3", "save is a string"),
            (#"{ in: "/outside", name: "a" }"#, "/outside"),
        ])
    func mistakes(place: String, message: String) async throws {
        let (result, _) = try await save(place, names: "[1]")
        #expect(result.status == 3 && result.errors.contains(message), "\(result.errors)")
        #expect(result.complaints.count == 1, "\(result.errors)")
    }

    @Test("a value after a written beginning never makes an address of a path")
    func addresses() async throws {
        let flow = try FlowCommandRun(
            """
            { tasks: {
              list: { steps: [ { load: "list.json" }, { parse: "json" } ] },
              each: { after: "list", map: "${tasks.list}", steps: [ { load: "data${item}" } ] },
            } }
            """)
        try flow.write(#"[":,from-the-list"]"#, to: "list.json")
        try flow.write("from the file", to: "data:,from-the-list")
        let result = try await flow("run", "flow.json5")
        #expect(result.status == 0 && result.output == #"["from the file"]"# + "\n", "\(result.errors)")
    }
}
