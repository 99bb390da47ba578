import Foundation
import SteplineSupport
import SteplineWorkflow

/// The command-line program of a ``DurableWorkflow``: parses the arguments and executes the verb.
struct DurableProgram<Program: DurableWorkflow> {
    /// The name under which the program was called.
    let call: String
    let output: ProgramOutput

    init(_ program: Program.Type, called call: String, _ output: ProgramOutput) {
        self.call = call
        self.output = output
    }

    /// Executes the verb in the arguments; returns the exit status.
    func run(_ arguments: [String]) async -> Int32 {
        do {
            let words = try ProgramWords(arguments)
            guard let verb = words.operands.first, !words.isOn("help") else {
                // Help on request goes to standard output with status 0, otherwise to standard error with status 2.
                let isAsked = words.isOn("help")
                isAsked ? output.write(help) : output.complain(help)
                return isAsked ? 0 : 2
            }
            switch verb {
            case "run":
                // With `--on`, the words after `--` are options of sbatch.
                try words.expect(1, handingOn: words["on"] != nil)
                guard let key = words["key"] else { throw RunsError("--key is missing", isUsage: true) }
                return try await run(key, words, retrying: words.isOn("retrying-failures"))
            case "plan":
                try words.expect(1)
                return try await plan(words)
            case "work":
                try words.expect(1)
                return try await work(words)
            case "runs": return try await runs(words)
            default: throw RunsError("unknown verb '\(verb)'", isUsage: true)
            }
        } catch let error as RunsError where error.isUsage {
            complain("\(error) (\(call) --help)")
            return 2
        } catch {
            complain(ErrorText.line(error))
            return 1
        }
    }

    private func runs(_ words: ProgramWords) async throws -> Int32 {
        let verb = try words.operand(
            1, "list, show, log, result, retry, pause, resume, cancel, signal, fork, forget or prepare")
        let place = try place(of: words)
        // Before opening: other verbs need a prepared store.
        if verb == "prepare" { try place.prepare() }
        let runs = StoredRuns(
            try place.openExisting(), of: Program.name, isJSON: words.isOn("json"), guide: guide(words))
        // The numbers include the words `runs` and VERB.
        let operands = ["list": 2, "prepare": 2, "result": 4, "signal": 5][verb] ?? 3
        try words.expect(operands)
        func key() throws -> String { try words.operand(2, "KEY") }
        let answer: RunsAnswer
        switch verb {
        case "prepare": answer = runs.prepared
        case "list": answer = try list(words, runs)
        case "show":
            if words.isOn("follow") { return try await follow(runs, key()) }
            answer = try runs.show(key())
        case "log": answer = try runs.log(key())
        case "result": answer = try runs.result(key(), of: words.operand(3, "STEP"))
        case "pause": answer = try runs.pause(key())
        case "retry", "resume":
            // nil: no living owner continues the run, so this process does.
            guard let resumed = try runs.resume(key()) else {
                return try await run(runs.run(key()).id.key, words, retrying: verb == "retry")
            }
            answer = resumed
        case "cancel": answer = try runs.cancel(key(), reason: words["reason"] ?? "requested by runs cancel")
        case "signal":
            let run = try runs.run(key())
            let condition = try words.operand(3, "CONDITION")
            // Not checked against the workflow: its condition may be gone, or the signal invalid.
            if words.isOn("withdraw") {
                answer = try runs.withdraw(run.id.key, condition: condition)
                break
            }
            let value = words.operands.count > 4 ? words.operands[4] : nil
            let input = try input(kept: run.input, of: run.id)
            answer = try runs.signal(
                run.id.key, condition: condition,
                value: ConditionValue.data(value, for: condition, in: workflow(input.value)))
        case "fork": answer = try fork(runs, key(), words)
        case "forget": answer = try forget(words, runs)
        default: throw RunsError("unknown verb 'runs \(verb)'", isUsage: true)
        }
        output.write(answer.output)
        return answer.code
    }

    private func follow(_ runs: StoredRuns, _ key: String) async throws -> Int32 {
        let (output, clock) = (output, Program.options.clock)
        return try await SignalWatch.interrupting {
            let answer = try await runs.follow(key, by: clock) { output.write($0) }
            output.write(answer.output)
            return answer.code
        }
    }

    private func fork(_ runs: StoredRuns, _ word: String, _ words: ProgramWords) throws -> RunsAnswer {
        guard let step = words["from"], let key = words["to"] else {
            throw RunsError("runs fork requires --from STEP and --to KEY", isUsage: true)
        }
        let source = try runs.run(word)
        let input = try input(kept: source.input, of: source.id)
        return try runs.fork(source.id.key, from: step, to: key, shape: workflow(input.value))
    }

    private func list(_ words: ProgramWords, _ runs: StoredRuns) throws -> RunsAnswer {
        let state = words["state"].map(RunState.init(rawValue:))
        // The outer optional is the option, the inner one a state of that name.
        if case .some(.none) = state {
            let states = RunState.allCases.map(\.rawValue).joined(separator: ", ")
            throw RunsError("--state expects one of \(states)", isUsage: true)
        }
        return try runs.list(in: state ?? nil, olderThan: age(words))
    }

    private func forget(_ words: ProgramWords, _ runs: StoredRuns) throws -> RunsAnswer {
        guard let age = try age(words) else {
            return try runs.forget(words.operand(2, "KEY or --older-than"))
        }
        guard words.operands.count == 2 else {
            throw RunsError("--older-than takes no KEY", isUsage: true)
        }
        return try runs.forget(olderThan: age)
    }

    private func age(_ words: ProgramWords) throws -> Duration? {
        guard let text = words["older-than"] else { return nil }
        guard let age = UnitText.duration(text) else {
            throw RunsError("--older-than expects a duration such as 30d", isUsage: true)
        }
        return age
    }

    // MARK: What all verbs need

    func store(_ words: ProgramWords) throws -> any RunStore {
        try place(of: words).open()
    }

    func place(of words: ProgramWords) throws -> RunStorePlace {
        // The option takes precedence over the environment.
        guard let place = words["store"] ?? output.environment["STEPLINE_STORE"], !place.isEmpty else {
            throw RunsError("--store is missing, and STEPLINE_STORE isn't set", isUsage: true)
        }
        return try RunStorePlace(place, of: Program.stores)
    }

    /// Returns the input of a run; secrets in it are names of environment variables.
    func input(given: String? = nil, kept: Data?, of run: RunID) throws -> ProgramInput<Program.Input> {
        try ProgramInput(given: given, kept: kept, of: run, environment: output.environment)
    }

    func workflow(_ input: Program.Input) throws -> Workflow { try Program.workflow(input) }

    /// Returns the commands that continue a run, for messages.
    func guide(_ words: ProgramWords) -> RunsGuide {
        // A store from the environment isn't repeated: the user's next command finds it there too.
        let place = words["store"] == nil ? nil : try? place(of: words)
        let store = place.map { " --store \(RunsText.quoted($0.shown))" } ?? ""
        let call = RunsText.quoted(call)
        return RunsGuide {
            "\(call) run\(store) --key \(RunsText.quoted($0.id.key))"
        } retry: {
            "\(call) run\(store) --key \(RunsText.quoted($0.id.key)) --retrying-failures"
        } cancel: {
            "\(call) runs cancel \(RunsText.quoted($0.id.key))\(store)"
        }
    }

    func complain(_ text: String) { output.complain("\(Program.name): \(RunsText.oneLine(text))\n") }

    private var help: String { ProgramHelp.text(name: Program.name) }
}
