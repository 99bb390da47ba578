import Foundation
import SteplineJSON
import SteplineSupport
import SteplineWorkflow
import SteplineXML

/// A run of a test case in a temporary folder.
struct FlowCaseRun {
    /// The results, by their paths in `expected`.
    private(set) var made: [String: Data] = [:]
    private(set) var failures: [String] = []
    private(set) var missing: [RecordedAnswers.Missing] = []
    /// The number of recorded responses that weren't used.
    private(set) var unasked = 0

    /// The file of expected failures.
    static let failuresFile = "failures.txt"

    /// Runs the case; throws if it can't be started.
    init(_ test: FlowCase, _ arguments: Arguments, _ session: Session) async throws {
        let root = FileManager.default.temporaryDirectory.appending(
            path: "stepline-test-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }
        let inputs = try FileTree.read(test.place.inputs)
        try FileTree.write(inputs, to: root)
        let folder = FlowFolder(apart: root.path(percentEncoded: false))
        let input = try FlowInput(arguments, session, set: test.parameters, workplace: folder)
        guard var plan = input.plan else { throw UsageError(input.lines.joined(separator: "\n")) }
        let lacking = input.missingParameters()
        guard lacking.isEmpty else {
            throw UsageError("it gives no value for " + lacking.joined(separator: ", "))
        }
        plan.setting.now = test.now
        plan.setting.waitsBeforeRetries = false
        plan.give(
            test.standIns(for: plan.neededSecrets),
            plan.library.mapValues { test.standIns(for: $0.neededSecrets) })
        let answers = RecordedAnswers(
            test.recording.exchanges, lettingRun: Set(arguments.all(.allowRun)),
            hiding: plan.setting.secrets.redactor)
        plan.setting.answers = answers
        plan.setting.connections.transport = ReplayingTransport(answers)
        plan.runInOrderIfGrowing()
        plan.settleLimits()
        let workflow = try plan.workflow()
        do { try await workflow.run() } catch {
            try Task.checkCancellation()
            noteFailures(workflow, error, plan, root: folder.root)
        }
        for (path, data) in try FileTree.read(root) where inputs[path] != data {
            made["files/\(path)"] = data
        }
        noteResults(workflow, plan, expected: test.place.expected)
        missing = answers.missing
        unasked = answers.unasked
    }

    private mutating func noteFailures(
        _ workflow: Workflow, _ error: any Error, _ plan: FlowPlan, root: String
    ) {
        let failed = workflow.allTasks.filter { $0.state == .failed }.sorted { $0.name < $1.name }
        failures = failed.map { "\($0.name): \(ErrorText.line($0.error, of: $0.name))" }
        if failures.isEmpty { failures = [ErrorText.line(error)] }
        // Remove paths that depend on the place of the run.
        let name = plan.setting.source.name
        let short = name.lastName
        failures = failures.map {
            $0.rewriting(name + ":", as: short + ":").rewriting(root + "/", as: "")
        }
        made[Self.failuresFile] = Data(failures.map { $0 + "\n" }.joined().utf8)
    }

    /// Adds the results of tasks without dependents that don't end in a file, and of expected tasks.
    private mutating func noteResults(_ workflow: Workflow, _ plan: FlowPlan, expected: URL) {
        let waitedFor = Set(plan.order.filter { !$0.runs.isLast }.flatMap(\.after).map(\.name))
        let names =
            (try? FileManager.default.contentsOfDirectory(
                atPath: expected.appending(path: "results").path)) ?? []
        for task in plan.order where !task.runs.isLast {
            let name = Self.fileName(task.name)
            var isNeeded = !waitedFor.contains(task.name)
            if isNeeded, case .save? = task.steps.last?.verb { isNeeded = task.map != nil }
            guard isNeeded || names.contains(where: { ($0 as NSString).deletingPathExtension == name }),
                let object = workflow.allTasks.first(where: { $0.name == task.name }),
                let value = FlowResult.value(of: object.result)
            else { continue }
            let (data, kind) = Self.file(of: value)
            made["results/\(name).\(kind)"] = data
        }
    }

    private static func file(of value: FlowValue) -> (Data, String) {
        switch value {
        case .json(let json): (json.data(.pretty) + Data("\n".utf8), "json")
        case .bytes(let data, _): (data, String(validating: data, as: UTF8.self) == nil ? "bin" : "txt")
        case .document(let document): (Data(document.tree.node.xml.utf8), "xml")
        }
    }

    /// Returns a file name for a task.
    private static func fileName(_ task: String) -> String {
        var allowed = CharacterSet.alphanumerics
        allowed.insert(charactersIn: "-_ ")
        return task.addingPercentEncoding(withAllowedCharacters: allowed) ?? task
    }
}

extension FlowCase {
    /// Returns replacement values for secrets.
    func standIns(for secrets: [FlowSecret]) -> FlowSecrets {
        let values = secrets.map { ($0.name, self.secrets[$0.name] ?? "stand-in-for-\($0.name)") }
        return FlowSecrets(Dictionary(values, uniquingKeysWith: { $1 }))
    }
}
