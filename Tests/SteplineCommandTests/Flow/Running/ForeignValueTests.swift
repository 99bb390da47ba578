import Foundation
import TestServers
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("Workflow files: values that a load or a program gave", .timeLimit(.minutes(5)))
struct ForeignValueTests {
    /// Runs a flow in a folder with a secret file, where `list.json` stands for a server's answer.
    private func run(_ tasks: String, list: String) async throws -> (CommandResult, FlowCommandRun) {
        let flow = try FlowCommandRun(
            """
            { parameters: { dir: { default: "" } }, tasks: {
              list: { steps: [ { load: "list.json" }, { parse: "json" } ] },
              \(tasks)
            } }
            """)
        try flow.write(list, to: "list.json")
        try flow.write("hidden", to: "key.txt")
        try flow.write("echo mine", to: "build.sh")
        return (try await flow("run", "flow.json5"), flow)
    }

    @Test("an address of a server's list never names a file")
    func addresses() async throws {
        let (result, _) = try await run(
            """
            each: { after: "list", map: "${tasks.list}", steps: [ { load: "${item}" }, { parse: "text" } ] },
            """, list: #"["data:,a", "key.txt"]"#)
        #expect(result.status == 1)
        #expect(
            result.errors.contains(#""key.txt" is no URL, and a load or a program gave it"#),
            "\(result.errors)")
        #expect(result.errors.contains("flow.json5:3:"), "\(result.errors)")
    }

    @Test(
        "check refuses a path that begins with a foreign value",
        arguments: [
            #"{ save: "${item}" }"#, #"{ append: "${item}.jsonl" }"#, #"{ copy: "${item}", to: "x" }"#,
            #"{ copy: "key.txt", to: "${item}" }"#, #"{ move: "${it}", to: "x/" }"#,
            #"{ delete: "${item}" }"#, #"{ folder: "${tasks.list[0]}" }"#, #"{ files: "${item}/*" }"#,
            #"{ transform: "lower(item)" }, { save: "${it}" }"#, #"{ save: "${'a' + item}" }"#,
            #"{ save: "${index > 1 ? 'a' : item}" }"#, #"{ save: "${item ?? 'a'}" }"#,
        ])
    func paths(steps: String) async throws {
        let (result, flow) = try await run(
            #"each: { after: "list", map: "${tasks.list}", steps: [ { value: "${item}" }, \#(steps) ] },"#,
            list: #"["build.sh"]"#)
        #expect(result.status == 3)
        #expect(
            result.errors.contains("a path can't begin with a load's or a program's output"),
            "\(result.errors)")
        #expect(try flow.folder.text("build.sh") == "echo mine")
    }

    @Test(
        "elements that a step grow has found are foreign, if its matches are",
        arguments: [
            (#"{ load: "list.json" }, { parse: "json" }, { grow: "$[*]" }, { save: "${item}" }"#, false),
            (#"{ value: ["${tasks.list}"] }, { grow: "$[*]", as: "it[0]" }, { save: "${item}" }"#, false),
            (#"{ value: ["${tasks.list}"] }, { grow: "$[*]", as: "null" }, { save: "${item}" }"#, true),
            (#"{ files: "${item}*" }, { grow: "$[*]" }, { save: "out/${length(it)}.json" }"#, true),
        ])
    func found(steps: String, isAllowed: Bool) async throws {
        let (result, flow) = try await run(
            #"each: { after: "list", map: ["made.txt"], steps: [ \#(steps) ] },"#, list: #"["build.sh"]"#)
        #expect(result.status == (isAllowed ? 0 : 3), "\(result.errors)")
        #expect(
            isAllowed || result.errors.contains("a path can't begin with a load's or a program's output"))
        #expect(try flow.folder.text("build.sh") == "echo mine")
    }

    @Test("an empty parameter in front doesn't let a foreign value begin a path")
    func emptyBeginning() async throws {
        let (result, flow) = try await run(
            """
            each: { after: "list", map: "${tasks.list}", steps: [ { value: 1 }, { save: "${dir}${item}" } ] },
            """, list: #"["build.sh"]"#)
        #expect(result.status == 1)
        #expect(result.errors.contains(#"a path can't begin with "build.sh""#), "\(result.errors)")
        #expect(try flow.folder.text("build.sh") == "echo mine")
    }

    @Test(
        "a foreign value after a literal folder is a file name; a choice among literal paths is allowed")
    func named() async throws {
        let (result, flow) = try await run(
            """
            each: { after: "list", map: "${tasks.list}", steps: [
              { value: 1 }, { save: "out/${item}" }, { save: "./${item}.bak" }, { save: "${index}-${item}" },
              { save: "${item == 'a' ? 'yes' : 'no'}" } ] },
            own: { map: ["b", "c"], steps: [ { value: 2 }, { save: "${item}" } ] },
            found: { after: "each", steps: [ { files: "out/*" }, { filter: "length(it) > 0" } ] },
            read: { after: "found", map: "${tasks.found}", steps: [ { load: "${item}" }, { delete: "${item}" } ] },
            """, list: #"["a"]"#)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try flow.folder.names(in: "out") == [])
        let names = try flow.folder.names(in: ".")
        for name in ["0-a", "a.bak", "b", "c", "yes"] { #expect(names.contains(name), "\(name)") }
    }

    @Test("a foreign value stays foreign as a parameter of another file")
    func inclusion() async throws {
        let flow = try FlowCommandRun(
            """
            { tasks: {
              list: { steps: [ { load: "list.json" }, { parse: "json" } ] },
              one: { after: "list", flow: "in.json5", with: { name: "${tasks.list[0]}" } },
              two: { flow: "in.json5", with: { name: "fine" } } } }
            """)
        try flow.write(#"["build.sh"]"#, to: "list.json")
        try flow.write(
            #"{ parameters: { name: "x" }, tasks: { a: { steps: [ { value: 1 }, { save: "${name}" } ] } } }"#,
            to: "in.json5")
        let result = try await flow("run", "flow.json5")
        #expect(result.status == 3)
        #expect(
            result.errors.hasPrefix("in.json5:1:78: error: a path can't begin with a load's"),
            "\(result.errors)")
    }
}
