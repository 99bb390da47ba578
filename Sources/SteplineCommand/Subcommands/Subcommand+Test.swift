import Foundation

extension Subcommand {
    /// `stepline test FLOW [CASE]…`.
    static let test = Subcommand(
        name: "test", summary: "run a workflow file's own tests, without the network",
        operands: Operands(placeholder: "FLOW [CASE]…", count: 1...1_000_000, completion: .file),
        discussion: [
            """
            The test cases of weather.json5 are the folders in weather.tests beside it. Each case runs in its own \
            folder, with the responses that run --record stored in answers and the files in inputs. No socket is \
            opened. The saved files and the results of tasks without dependents are compared with expected. \
            --update replaces expected with this output.
            """,
            """
            A request or program call that isn't in the recording fails the case. A program named by --allow-run is \
            really run. Secrets are stand-ins, now() is the time of the recording, and retries don't wait.
            """,
            """
            In a case, case.json5 can set what the recording lacks: parameters, now, secrets (stand-ins that look \
            like one), fails: true for a run that must fail, and a description.
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
                purpose: "record a run as a case"),
            Example(
                command: "stepline test weather.json5 --update",
                purpose: "after a review, accept the output as expected"),
            Example(command: "stepline test weather.json5", purpose: "run all cases"),
        ]
    ) { arguments, session in
        let flow = arguments.operands.first ?? ""
        guard flow != FlowInput.standardInput else {
            throw UsageError("test needs a file: - has no test cases")
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
        let signals = RunSignals(session)
        defer { signals.stop() }
        let end = try await signals.interrupting { try await FlowTestRun(arguments, session).run(places) }
        if let end { return end }
        session.complain("interrupted")
        return signals.code
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
                "\(flow) has no test cases: stepline run \(flow) --record \(path)/NAME records one")
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
    static let update = Option(flag: "update", "replace expected with the actual output")
}
