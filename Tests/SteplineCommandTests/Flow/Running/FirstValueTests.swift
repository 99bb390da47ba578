import Foundation
import SteplineJSON
import SteplineSupport
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("stepline run: words and first values", .timeLimit(.minutes(5)))
struct FirstValueTests {
    @Test(
        "the first step takes the result of the first task in after, whatever follows",
        arguments: ["'one'", "['one']", "['one', 'two']", "['one', 'two', 'doc']"])
    func firstOfAfter(after: String) async throws {
        let flow = try FlowCommandRun(
            """
            { tasks: {
              one: { steps: [ { value: [1, 2, 3] } ] },
              two: { steps: [ { value: 7 } ] },
              doc: { steps: [ { load: 'data:,%3Ca/%3E' }, { parse: 'xml' } ] },
              sum: { after: \(after), steps: [ { transform: 'sum(it)' } ] },
            } }
            """)
        let result = try await flow("run", "flow.json5", "--print", "sum")
        #expect(result.status == 0 && result.output == "6\n", "\(result.errors)")
    }

    @Test("the kind of the first result is checked, and a first task that may fail gives null")
    func kinds() async throws {
        func findings(_ task: String) -> [String] {
            FlowSource(
                name: "f",
                text:
                    "{ tasks: { n: { steps: [ { value: 7 } ] }, l: { steps: [ { value: [1] } ] }, \(task) } }"
            ).findings()
        }
        #expect(findings("a: { after: ['l', 'n'], steps: [ { each: 'it' } ] }").isEmpty)
        #expect(
            findings("a: { after: ['n', 'l'], steps: [ { each: 'it' } ] }").first?
                .contains("each expects a list, not a number") == true)
        let flow = try FlowCommandRun(
            """
            { tasks: {
              bad: { steps: [ { transform: "number('x')" } ] }, ok: { steps: [ { value: 1 } ] },
              a: { after: ['bad', 'ok'], allowFailure: 'bad', steps: [ { transform: "it ?? 'none'" } ] },
            } }
            """)
        #expect(try await flow("run", "flow.json5").output == "none\n")
    }

    @Test("a task is skipped with the first task of after, whose result it takes, and not with the second")
    func skips() async throws {
        let flow = try FlowCommandRun(
            """
            { tasks: {
              no: { when: '1 > 2', steps: [ { value: 1 } ] }, yes: { steps: [ { value: 2 } ] },
              first: { after: ['no', 'yes'], steps: [ { transform: 'it' } ] },
              second: { after: ['yes', 'no'], steps: [ { transform: 'it' } ] },
            } }
            """)
        let object = try JSON(parsing: try await flow("run", "flow.json5", "--json").data)
        let states = object["tasks"]?.array?.map { $0["state"] }
        #expect(states == ["skipped", "finished", "skipped", "finished"], "\(object)")
        #expect(object["result"] == ["second": 2])
    }

    @Test(
        "retry: 3, retries: 3 and --retries 3 all allow four attempts",
        arguments: ["retry: 3", "retry: { retries: 3 }", "retry: { retries: 3, failures: 'all' }"])
    func retries(policy: String) throws {
        let text = "{ tasks: { a: { \(policy), steps: [ { value: 1, \(policy) } ] } } }"
        var issues = FlowIssues()
        let file = try #require(FlowReader.read(FlowSource(name: "f", text: text), &issues))
        let task = try #require(file.tasks.first)
        #expect(task.policies.retry?.attempts == 4 && task.steps.first?.retry?.attempts == 4)
    }

    @Test("a renamed option is refused with its new name")
    func option() async throws {
        let result = try await Command.run(["fetch", "https://h.example/", "--key", "me.key"])
        #expect(result.status == 2 && result.errors.contains("--key is now --cert-key"), "\(result.errors)")
    }

    @Test("no word of a workflow file has two types, except those that name a value or a file")
    func oneType() {
        var types: [String: Set<String>] = [:]
        let all =
            [
                FlowKeys.file, .task, .policies, .retry, .network, .parameter, .secret, .next, .place,
                .column, .script,
            ]
            + FlowKeys.verbs
        for key in all.flatMap(\.all) {
            types[key.name, default: []].insert("\(key.type)".prefix(40).description)
        }
        for word in ["limit", "at", "when", "key", "records", "required", "retry", "retries", "concurrency"] {
            #expect(types[word]?.count == 1, "\(word): \(types[word] ?? [])")
        }
        #expect(types["ifThere"] == nil && types["attempts"] == nil)
    }
}
