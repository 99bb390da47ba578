import Foundation
import SteplineJSON
import SteplinePipeline
import SteplineRuns

/// Values of stored runs: `runs result KEY` and `runs show KEY STEP --value`.
extension RunsCommand {
    /// Returns what the verb prints if that is a value; nil for other requests.
    func value(_ verb: RunsVerb, _ operands: [String]) throws -> Data? {
        if verb == .show, arguments.isOn(.value) {
            guard operands.count == 2 else { throw UsageError("--value requires KEY and STEP") }
            return try value(of: operands[1], in: runs.run(operands[0]))
        }
        guard verb == .result, (1...2).contains(operands.count) else { return nil }
        let run = try runs.run(operands[0])
        if operands.count == 1 { return try result(of: run) }
        // A step of a program has the JSON that its codec makes. The stored JSON of a workflow file is an envelope.
        return FlowRunInput(kept: run.input) == nil ? nil : try value(of: operands[1], in: run)
    }

    /// Returns the value of a finished step: a text as it is, anything else as JSON.
    private func value(of step: String, in run: RunRecord) throws -> Data {
        let key = run.id.description
        if FlowRunInput(kept: run.input) != nil {
            if let result = try flowResult(of: step, in: run) {
                if let reason = result.skipped { throw RunsError("step \"\(step)\" was skipped: \(reason)") }
                return try result.value.printed(onTerminal: session.output.isTerminal)
            }
        } else if let text = try? runs.result(key, of: step, as: String.self) {
            return try FlowValue.json(JSON(text)).printed(onTerminal: false)
        } else if let data = try? runs.result(key, of: step, as: Data.self) {
            return try FlowValue.bytes(data, FlowOrigin()).printed(onTerminal: session.output.isTerminal)
        }
        return Data(try runs.result(key, of: step).output.utf8)
    }

    /// Returns the result of a workflow file's run.
    private func result(of run: RunRecord) throws -> Data {
        guard let plan = plan(of: run) else {
            throw RunsError(
                "\(run.id) has no known result: its workflow file is missing or has mistakes, or it is a run of a "
                    + "program; give a STEP", isUsage: true)
        }
        switch try FlowRunResult(of: plan, FlowTaskGraph(plan)) {
        case .lasts(let names):
            let value = try FlowRunResult.object(names, hint: { "give the STEP \($0)" }) { name in
                guard try state(of: name, in: run) == .finished else { return nil }
                let result = try flowResult(of: name, in: run)
                return result?.skipped == nil ? result?.value : nil
            }
            guard let value else {
                throw RunsError(
                    "the last tasks of \(plan.setting.source.name) have no values to print: give a STEP of \(run.id)",
                    isUsage: true)
            }
            return try value.printed(onTerminal: session.output.isTerminal)
        case .task(let name), .last(let name): return try value(of: name, in: run)
        case .file:
            if plan.file.result?.references.contains(where: \.name.isSecret) == true {
                throw RunsError("the result of \(run.id) uses a secret, and secrets aren't stored")
            }
            var bag = Content()
            for name in FlowRunResult.file.neededTasks(of: plan.file) {
                if plan.allowedFailures.contains(name), try state(of: name, in: run) == .failed { continue }
                let result = try flowResult(of: name, in: run)
                bag[.result(of: name)] = result?.skipped == nil ? result?.value : nil
            }
            let value = FlowValue.json(try plan.outcome(in: bag, ExpressionBudget()))
            return try value.printed(onTerminal: session.output.isTerminal)
        }
    }

    /// Returns the result of a task or an element; nil for a step that is neither, such as the list of a map.
    private func flowResult(of step: String, in run: RunRecord) throws -> FlowResult? {
        let key = run.id.description
        do {
            return try runs.result(key, of: step, as: FlowResult.self)
        } catch let error as RunStoreError where error.code == .wrongType {
            // The elements of a map are steps: its result is a list of theirs.
            guard let elements = try? runs.result(key, of: step, as: [FlowResult].self) else { return nil }
            return try FlowResult(elements: elements)
        }
    }

    private func state(of step: String, in run: RunRecord) throws -> StepState? {
        try runs.step(step, of: run)?.state
    }
}

extension FlowExpression.Name {
    /// Whether the name is that of a secret.
    fileprivate var isSecret: Bool { if case .secret = self { true } else { false } }
}
