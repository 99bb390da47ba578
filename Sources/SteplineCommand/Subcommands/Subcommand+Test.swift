import Foundation
import SteplinePrograms
import SteplineSupport
import SteplineWorkflow

extension Subcommand {
    /// `stepline test FLOW [CASE]…`.
    static let test = Subcommand(
        name: "test", summary: "run a workflow file's own tests, without the network",
        operands: Operands(placeholder: "FLOW [CASE]…", count: 1...1_000_000, completion: .file),
        discussion: [
            """
            Beside weather.json5 its test cases are the folders in weather.tests. Each is run in a folder of its own, \
            with the answers that run --record has kept in answers, and the files of inputs; no socket is opened. What \
            it makes is held against expected: the files it saves, and the results of tasks that nobody waits for. \
            --update takes what is made as what is expected.
            """,
            """
            A request that isn't in the recording fails the case. So does the call of a program: those are recorded as \
            well, and run in earnest only where --allow-run names them. Secrets are stand-ins, now() is the time of \
            the recording, and nobody waits between two attempts.
            """,
            """
            In a case, case.json5 may say what the recording doesn't: parameters, now, secrets (stand-ins that look \
            like one), fails: true for a run that is to fail, and a description.
            """,
        ],
        groups: [
            Group(
                title: "Testing",
                rows: [Option.update.row, Option.allowRun.row, Option.allowEnv.row, Option.quiet.row])
        ],
        examples: [
            Example(
                command: "stepline run weather.json5 --set city=Oslo --record weather.tests/oslo",
                purpose: "to make a case of a run"),
            Example(
                command: "stepline test weather.json5 --update",
                purpose: "to take what it makes as what is expected, once it was looked at"),
            Example(command: "stepline test weather.json5", purpose: "from then on"),
        ]
    ) { arguments, session in
        let flow = arguments.operands.first ?? ""
        guard flow != FlowInput.standardInput else {
            throw UsageError("test cases are beside a file: - has none")
        }
        // The file's errors are the same for all cases.
        let input = try FlowInput(arguments, session, set: [])
        guard let plan = input.plan else {
            try input.complain(in: session)
            return .mistakes
        }
        let refusals = plan.refusedSettings(ofRun: arguments)
        for refusal in refusals { session.complain(refusal) }
        guard refusals.isEmpty else { return .mistakes }
        let places = try FlowCasePlace.selected(Array(arguments.operands.dropFirst()), of: flow, session)
        let running = Locked<Task<ExitCode, any Error>?>(nil)
        let signals = SignalWatch(for: session.signals) { _ in
            running.withLock { $0 }?.cancel()
        } onSecond: {
            session.programs.endAll()
        }
        defer { signals.stop() }
        let work = Task { try await FlowTestRun(arguments, session).run(places) }
        running.withLock { $0 = work }
        if signals.received != nil { work.cancel() }
        let end = await work.result
        if let signal = signals.received {
            session.complain("interrupted")
            return ExitCode.signalled(signal)
        }
        return try end.get()
    }
}

extension FlowCasePlace {
    /// Returns the named cases, or all; throws if there are none.
    static func selected(_ names: [String], of flow: String, _ session: Session) throws(UsageError) -> [Self]
    {
        let path = folder(ofFlow: flow)
        let place = URL(
            filePath: path, directoryHint: .isDirectory, relativeTo: session.folder)
        let all = FlowCase.places(in: place)
        guard !all.isEmpty else {
            throw UsageError(
                "\(flow) has no test cases: stepline run \(flow) --record \(path)/NAME makes one of a run")
        }
        guard !names.isEmpty else { return all }
        for name in names where !all.contains(where: { $0.name == name }) {
            throw UsageError(
                "\(flow) has no test case '\(name)'" + Guess.question(name, among: all.map(\.name)))
        }
        return all.filter { names.contains($0.name) }
    }
}

extension Option<Bool> {
    static let update = Option(flag: "update", "take what is made as what is expected from now on")
}
