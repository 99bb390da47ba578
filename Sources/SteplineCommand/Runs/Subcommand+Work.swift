import Foundation
import SteplineRuns
import SteplineSupport

extension Subcommand {
    /// `stepline work FLOW`.
    static let work = Subcommand(
        name: "work", summary: "run tasks of a workflow file's runs that are left to workers",
        operands: .flow,
        discussion: [
            """
            It takes tasks of runs that stepline run FLOW --on workers has begun, of whatever key and by whomever, on a \
            server: as many at once as it has slots. It waits for more until it is asked to leave by SIGTERM or \
            Ctrl-C; then it takes nothing more, lets what it runs go on for the grace, gives back what isn't over, and \
            ends with 0. If the process of a run is gone, a worker takes its place.
            """,
            """
            The file is the same on all machines, and its folder one that they share if tasks write files that others \
            read. What it may do is said here as it is for run: parameters alone come from the run. Secrets are read for \
            each run that is taken up, and all are read once before the first, so that none is missing.
            """,
        ],
        groups: [
            Group(
                title: "Workflow file",
                rows: [
                    Option.allowPath.row, Option.offline.row, Option.allowRun.row, Option.allowEnv.row,
                ]),
            Group(
                title: "Working",
                rows: [
                    Option.store.row, Option.slots.row, Option.idle.row, Option.grace.row,
                    Option.workerLines.row,
                ]),
        ],
        examples: [
            Example(
                command: "stepline work mirror.json5 --store postgresql://db.example.org/runs",
                purpose: "on each machine, as often as you like"),
            Example(
                command: "stepline work mirror.json5 --slots 8 --idle 60s --json",
                purpose: "on STEPLINE_STORE, until there is no more to do, with a log line by line"),
        ]
    ) { arguments, session in
        guard arguments.operands.first != FlowInput.standardInput else {
            throw UsageError("work wants a workflow file that is there again, not standard input")
        }
        let place = try session.storePlace(arguments)
        // The parameters come from the runs, not from the command line.
        let input = try FlowInput(arguments, session, set: [])
        try input.complain(in: session)
        guard var plan = input.plan else { return .mistakes }
        let refusals = plan.refusals(of: arguments)
        for refusal in refusals { session.complain(refusal) }
        guard refusals.isEmpty else { return .mistakes }
        let signals = RunSignals(session)
        defer { signals.stop() }
        if !plan.hasSecretsOfParameters {
            let ready = try await plan.withSecrets(session.environment, signals) {
                session.complain("warning: \($0)")
            }
            guard let ready else {
                session.complain("interrupted")
                return signals.code
            }
            plan = ready
        }
        let store = try place.openShared()
        let workflows = FlowWorkflows(arguments, session, store) { session.complain("warning: \($0)") }
        let settings = WorkerSettings(
            asked: arguments[.slots], idle: arguments[.idle], grace: arguments[.grace])
        let worker = workflows.workers(of: plan.file.name) { session.complain($0) }
            .worker(in: store, settings, isJSON: arguments.isOn(.workerLines))
        signals.onFirst { worker.leave() }
        try await worker.run()
        return .success
    }
}
