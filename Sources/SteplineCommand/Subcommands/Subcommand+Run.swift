import SteplineRuns
import SteplineSupport

extension Subcommand {
    /// `stepline run FLOW [TASK]…`.
    static let run = Subcommand(
        name: "run", summary: "run a workflow file, or some of its tasks",
        operands: Operands(placeholder: "FLOW [TASK]…", count: 1...1_000_000, completion: .tasks),
        discussion: [
            """
            The file is checked first. If it has mistakes, they are printed as by check, and nothing runs. The file \
            can read and write only in its own folder and those of --allow-path, and run only programs named by \
            --allow-run. Programs aren't restricted to these folders or by --offline. The file can read environment \
            variables named by --allow-env; its programs also get a few such as PATH and HOME.
            """,
            """
            FLOW is a file, or - for standard input. TASKs run with their prerequisites; without TASK, all tasks run. \
            A task with declared output files is skipped if they are newer than its inputs and its value isn't \
            needed.
            """,
            """
            stdout gets the result: the file's result, or else the value of its only last task; a text as it is, \
            other values as JSON. Of several last tasks it gets one object with their values by name, except those \
            that end with a file. stderr gets a summary. --quiet suppresses both, except the output of --print or \
            --json.
            """,
            """
            With --store the run is stored under a key, in a file or on a server. To resume an interrupted or killed \
            run, give the same command again: it continues with its original parameters and doesn't repeat finished \
            tasks.
            """,
            """
            With --on workers, workers run the tasks; stepline work starts a worker on any machine. The store must be \
            a server. This process owns the run and enqueues ready tasks; with --slots it also runs tasks. Limits of \
            tasks apply to the whole run, limits of hosts and steps to each worker.
            """,
            """
            With --on slurm --workers 2..40 Slurm starts as many workers as the ready tasks need. All machines must \
            share this command, the file and the store. --slots limits the tasks that a worker runs at once. \
            --sbatch passes an option to sbatch.
            """,
        ],
        groups: [
            .flow,
            Group(
                title: "Running",
                rows: [
                    Option.allowRun.row, Option.allowEnv.row, Option.jobs.row, Option.failFast.row,
                    Option.keepGoing.row,
                ]),
            Group(
                title: "Tasks",
                rows: [
                    Option.fromTask.row, Option.only.row, Option.anew.row, Option.planOnly.row,
                    Option.dryRun.row,
                ]),
            Group(
                title: "Stored runs",
                rows: [
                    Option.store.row, Option.runKey.row, Option.retryingFailures.row, Option.runPlace.row,
                    Option.slots.row,
                ]),
            Group(
                title: "Workers under Slurm",
                rows: [Option.workers.row, Option.sbatch.row, Option.idle.row, Option.grace.row]),
            Group(title: "Recording", rows: [Option.record.row]),
            .displayOfRuns,
        ],
        examples: [
            Example(command: "stepline run weather.json5 --set city=Paris", purpose: "set a parameter"),
            Example(
                command: "stepline run feeds.json5 --from merge",
                purpose: "run a task and its dependents"),
            Example(
                command: "stepline run feeds.json5 --report run.html", purpose: "write a report"),
            Example(
                command: "stepline run mirror.json5 --store runs.db",
                purpose: "store the run; the same command resumes it"),
            Example(
                command: "stepline run mirror.json5 --store runs.db --plan",
                purpose: "print the plan: each task, and why it would run"),
            Example(
                command: "stepline run mirror.json5 --store postgresql://db.example.org/runs --on workers",
                purpose: "use all machines that run stepline work mirror.json5"),
            Example(
                command:
                    "stepline run mirror.json5 --store postgresql://db.example.org/runs --on slurm --workers 2..40",
                purpose: "use 2 to 40 Slurm workers, as needed"),
            Example(
                command: "stepline run weather.json5 --set city=Oslo --record weather.tests/oslo",
                purpose: "record the run; stepline test replays it without the network"),
        ]
    ) { arguments, session in
        var wish = try FlowSelection.Wish(arguments)
        let live = LiveRun(arguments, session, alwaysSummarizes: true)
        try live.checkFiles()
        let recording = try FlowRecording(arguments, session)
        var input = try FlowInput(arguments, session)
        let refusals = input.plan?.refusals(of: arguments) ?? []
        for line in input.lines { live.teller.tellLine(line) }
        guard var plan = input.plan else { return .mistakes }
        let kept = try KeptFlow(plan, arguments, session, live.teller)
        if let kept, let set = kept.setBefore {
            input = try FlowInput(arguments, session, set: set)
            plan = input.plan ?? plan
        }
        for refusal in refusals { live.teller.tell(refusal) }
        guard refusals.isEmpty else { return .mistakes }
        let missing = input.missingParameters()
        guard missing.isEmpty else {
            throw UsageError(
                "\(input.source.name) requires " + missing.map { "--set \($0)=…" }.joined(separator: " and "))
        }
        FlowManner(arguments).settle(&plan)
        let graph = FlowTaskGraph(plan)
        let result = try FlowRunResult(printing: arguments[.print], of: plan, graph, running: wish)
        wish.valued = result.neededTasks(of: plan.file)
        let selection = try FlowSelection(wish, of: plan, graph, files: FlowFiles(plan.setting))
        if arguments.onlyPlans {
            let planning = FlowPlanning(plan, selection, kept)
            return try await planning.write(arguments, session)
        }
        plan.select(selection.tasks)
        live.leaveOut(selection.upToDate)
        live.teller.allowFailures(of: plan.allowedFailures)
        let signals = live.hearSignals()
        defer { signals.stop() }
        guard let ready = try await plan.withSecrets(session.environment, signals, warn: live.teller.warn)
        else {
            live.teller.tell("interrupted")
            return signals.code
        }
        plan = ready
        live.hide(plan.setting.secrets.redactor)
        let recorder = recording?.begin(&plan)
        plan.keptAttempts = arguments.isOn(.runObject) ? FlowResultOutput.keptAttempts : live.keptAttempts
        plan.followsSteps = live.tellsSteps
        plan.follow = { live.follow($0, of: $1, hidden: $2) }
        plan.followElements = { live.follow(elements: $0, of: $1) }
        plan.skip = { live.skip($0, reason: $1) }
        let warnings = Locked<[String]>([])
        plan.warn = { warning in warnings.withLock { $0.append(warning) } }
        if let kept {
            plan.isKept = true
            plan.versions = try kept.versions(of: plan)
        }
        let began = session.clock.now
        let workflow = try plan.workflow()
        var code = try await live.run(workflow, in: kept, hearing: signals)
        // After the end: until then the status line may occupy the terminal.
        for warning in warnings.withLock({ $0 }) { live.teller.warn(warning) }
        // Before the result: a closed stdout must not lose the recording.
        if let recording, let recorder {
            code = try recording.end(recorder, plan.setting.folder, after: code, live.teller)
        }
        return try FlowResultOutput(arguments, session, live).write(
            result, of: workflow, in: plan, began: began, upToDate: selection.upToDate, key: kept?.id.key,
            code)
    }
}

extension FlowSelection.Wish {
    /// Reads the selection from the command line; throws if options conflict.
    init(_ arguments: Arguments) throws(UsageError) {
        tasks = Array(arguments.operands.dropFirst())
        from = arguments.all(.fromTask)
        isOnly = arguments.isOn(.only)
        // With a store, its records decide which tasks are finished, not the dates of files.
        skipsUpToDate =
            !isOnly && !arguments.isOn(.anew) && arguments[.store] == nil && arguments[.record] == nil
        if arguments.isOn(.keepGoing), arguments.isOn(.failFast) {
            throw UsageError("--keep-going and --fail-fast are opposites")
        }
        if arguments[.store] != nil, !isForAll || isOnly {
            throw UsageError("--store runs all tasks: leave out TASK, --from and --only")
        }
        guard let place = arguments[.runPlace] else {
            if arguments[.slots] != nil { throw UsageError("--slots requires --on workers or --on slurm") }
            return
        }
        if arguments[.store] == nil { throw UsageError("--on \(place) requires --store") }
        if arguments[.record] != nil {
            throw UsageError("--record records only this process: leave out --on \(place)")
        }
    }
}

extension Option<String> {
    static let fromTask = Option(
        text: "from", value: "TASK", completion: .tasks, isRepeatable: true,
        "run this task, its dependents and tasks whose values they use")
}

extension Option<Bool> {
    static let only = Option(flag: "only", "run the TASKs without their prerequisites")
    static let anew = Option(flag: "anew", "also run tasks whose files are up to date")
    static let keepGoing = Option(
        flag: "keep-going", short: "k", "run tasks that don't depend on a failure; overrides the file")
}
