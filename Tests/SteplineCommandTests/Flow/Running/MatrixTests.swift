import Foundation
import SteplineJSON
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("Flows: combinations of lists", .timeLimit(.minutes(5)))
struct MatrixTests {
    @Test("a map, also of a stored run, has all combinations without excluded ones, each named by its parts")
    func combinations() async throws {
        let flow = try FlowCommandRun(
            """
            { concurrency: 1, parameters: { versions: { type: "list", default: [5, 6] } }, tasks: {
              names: { steps: [ { value: ["linux", "mac"] } ] },
              build: { after: "names", map: { os: "${tasks.names}", version: "${versions}", one: [true] },
                except: "item.os == 'mac' && it.version < 6",
                steps: [ { value: "${item.os}-${item.version}-${index}" } ] },
              out: { after: "build", steps: [ { save: "out.json" } ] },
            } }
            """)
        for more in [[], ["--store", "runs.db"]] {
            let result = try await Command.run(
                ["run", "flow.json5", "--log-format", "json"] + more, in: flow.folder.url)
            #expect(result.status == 0, "\(result.errors)")
            #expect(try flow.folder.text("out.json") == "[\"linux-5-0\",\"linux-6-1\",\"mac-6-2\"]\n")
            let tasks = Set(try result.complaints.compactMap { try JSON(parsing: $0)["task"]?.string })
            #expect(
                tasks.contains("build[linux, 5, true]") && !tasks.contains("build[mac, 5, true]"), "\(tasks)")
            try FileManager.default.removeItem(at: flow.folder.url.appending(path: "out.json"))
        }
    }

    @Test("except leaves elements of a plain list out, and key has its own word")
    func plain() async throws {
        let flow = try FlowCommandRun(
            """
            { tasks: {
              a: { map: [1, 2, 3, 4], except: "item % 2 == 0", key: "'n' + item", steps: [ { transform: "it * 10" } ] },
              b: { map: { x: [], y: [1] }, steps: [ { value: 1 } ] },
              out: { after: ["a", "b"], steps: [ { value: "${[tasks.a, tasks.b]}" }, { save: "out.json" } ] },
            } }
            """)
        let result = try await flow("run", "flow.json5")
        #expect(result.status == 0, "\(result.errors)")
        #expect(try flow.folder.text("out.json") == "[[10,30],[]]\n")
    }

    @Test("an invalid matrix fails with its place in the run")
    func refused() async throws {
        let flow = try FlowCommandRun()
        let place = "{ tasks: { a: { map: ".count + 1
        for (map, error) in [
            (
                #"{ x: "${first([p])}" }"#,
                #"a failed: map (flow.json5:1:\#(place)): expected a list under "x", not a number"#
            ),
            (
                #""${first([p])}""#, "a failed: map (flow.json5:1:\(place)): expected a list, not a number"
            ),
            (
                #"[1], except: "item""#,
                "a failed: except (flow.json5:1:\(place + 14)): expected true or false, not a number"
            ),
            (
                #"[1], except: "item > 'a'""#,
                "a failed: except (flow.json5:1:\(place + 19)): a number and a text can't be compared by >"
            ),
            (
                #"[1, [2]], key: "item""#,
                "a failed: key (flow.json5:1:\(place + 16)): expected a text or a number, not a list"
            ),
            (#"{ a: "${l}", b: "${l}", c: "${l}" }"#, "more than 100000 combinations"),
        ] {
            let list = Array(repeating: "1", count: 60).joined(separator: ",")
            try flow.write(
                "{ tasks: { a: { map: \(map), steps: [ { value: '${p}${l[0]}' } ] } }, parameters: { p: 1, l: [\(list)] } }",
                to: "flow.json5")
            let result = try await flow("run", "flow.json5")
            #expect(result.status == 1 && result.errors.contains(error), "\(map): \(result.errors)")
        }
    }
}
