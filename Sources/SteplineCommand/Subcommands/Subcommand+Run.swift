import SteplineRuns
import SteplineSupport

extension Subcommand {
    /// `stepline run FLOW`.
    static let run = Subcommand(
        name: "run", summary: "run a workflow file", operands: .flow,
        discussion: [
            """
            The file is checked first; if it has mistakes, they are told as by check, and nothing is run. It can \
            read and write in its own folder only, unless --allow-path says otherwise, and runs no program but \
            those named by --allow-run: a program is bound by neither folder nor --offline.
            """,
            """
            With --store the run is kept in a file, under a key: a run that was interrupted or killed goes on where \
            it stopped when the same command is given again, with the parameters that it was begun with, and what \
            has finished is not done again.
            """,
        ],
        groups: [
            .flow,
            Group(title: "Running", rows: [Option.allowRun.row, Option.jobs.row, Option.failFast.row]),
            Group(
                title: "Keeping the run",
                rows: [Option.store.row, Option.runKey.row, Option.retryingFailures.row]),
            .display,
        ],
        examples: [
            Example(command: "stepline run weather.json5 --set city=Paris", purpose: "with a parameter"),
            Example(
                command: "stepline run feeds.json5 --report run.html", purpose: "with a report of the run"),
            Example(
                command: "stepline run mirror.json5 --store runs.db",
                purpose: "kept, so that it goes on where it stopped when it is given again"),
        ]
    ) { arguments, session in
        let live = LiveRun(arguments, session)
        try live.checkFiles()
        var input = try FlowInput(arguments, session)
        let refusals = input.plan?.refusedPrograms(allowed: Set(arguments.all(.allowRun))) ?? []
        try input.complain(in: session)
        guard var plan = input.plan else { return .mistakes }
        let kept = try KeptFlow(plan, arguments, session)
        if let kept, let set = kept.setBefore {
            input = try FlowInput(arguments, session, set: set)
            plan = input.plan ?? plan
        }
        for refusal in refusals { session.complain(refusal.line(in: input.source)) }
        guard refusals.isEmpty else { return .mistakes }
        let missing = input.missingParameters()
        guard missing.isEmpty else {
            throw UsageError(
                "\(input.source.name) wants " + missing.map { "--set \($0)=…" }.joined(separator: " and "))
        }
        if let jobs = arguments[.jobs] { plan.jobs = jobs }
        plan.settleLimits()
        if arguments.isOn(.failFast) { plan.cancelsOthersOnFailure = true }
        plan.keptAttempts = live.keptAttempts
        plan.follow = { live.follow($0, of: $1) }
        let warnings = Locked<[String]>([])
        plan.warn = { warning in warnings.withLock { $0.append(warning) } }
        if let kept {
            plan.isKept = true
            plan.versions = try kept.versions(of: plan)
        }
        let code = try await live.run(plan.workflow(), in: kept)
        // Not before the end, as a live view may have the terminal until then.
        for warning in warnings.withLock({ $0 }) { session.complain("warning: \(warning)") }
        return code
    }
}
