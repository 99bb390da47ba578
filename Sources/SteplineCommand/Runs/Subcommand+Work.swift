import Foundation
import SteplineRuns
import SteplineSupport

extension Subcommand {
    /// `stepline work FLOW`.
    static let work = Subcommand(
        name: "work", summary: "start a worker, which runs tasks of a workflow file's runs",
        operands: .flow,
        discussion: [
            """
            A worker runs tasks of all runs of FLOW in the store that were started with run --on workers or --on \
            slurm. The store must be a server. A worker runs as many tasks at once as it has slots, and waits for \
            more. After SIGTERM or Ctrl-C it takes no more tasks, lets running tasks continue for --grace, releases \
            the unfinished ones and exits with 0. If the process that owns a run is lost, a worker takes its place.
            """,
            """
            FLOW must be the same file on all machines. Its folder must be shared if tasks read files that other tasks \
            write. Permissions come from this command line, as for run; parameters come from the run. Secrets are read \
            for each run. Those without parameters are also read at the start, so that a missing one is reported then.
            """,
        ],
        groups: [
            Group(
                title: "Workflow file",
                rows: [
                    Option.allowPath.row, Option.offline.row, Option.allowRun.row, Option.allowEnv.row,
                ]),
            Group(
                title: "Worker",
                rows: [
                    Option.store.row, Option.slots.row, Option.idle.row, Option.grace.row,
                    Option.workerLines.row,
                ]),
        ],
        examples: [
            Example(
                command: "stepline work mirror.json5 --store postgresql://db.example.org/runs",
                purpose: "start a worker; repeat on each machine"),
            Example(
                command: "stepline work mirror.json5 --slots 8 --idle 60s --json",
                purpose: "use STEPLINE_STORE, log JSON, and stop after 60 s without work"),
        ]
    ) { arguments, session in
        guard arguments.operands.first != FlowInput.standardInput else {
            throw UsageError("work requires a workflow file: standard input can't be read again")
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
