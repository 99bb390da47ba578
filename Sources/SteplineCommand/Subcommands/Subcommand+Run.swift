import SteplineRuns
import SteplineSupport

extension Subcommand {
    /// `stepline run FLOW [TASK]…`.
    static let run = Subcommand(
        name: "run", summary: "run a workflow file, or some of its tasks",
        operands: Operands(placeholder: "FLOW [TASK]…", count: 1...1_000_000, completion: .tasks),
        discussion: [
            """
            The file is checked first; if it has mistakes, they are told as by check, and nothing is run. It can \
            read and write in its own folder only, unless --allow-path says otherwise, and runs no program but \
            those named by --allow-run: a program is bound by neither folder nor --offline. Of the environment the file \
            gets what --allow-env names; programs get that, and a few variables such as PATH and HOME.
            """,
            """
            FLOW is a file, or - for standard input. TASKs are run with all they need; without any, all tasks are. A task that says which files it writes is \
            left out if they are newer than all it is made of, and nobody wants its value.
            """,
            """
            The result goes to stdout: the file's result, or else the value of its only last task; a text as it is, \
            anything else as JSON. A summary goes to stderr. With --quiet there is neither, except what --print or \
            --json asks for.
            """,
            """
            With --store the run is kept in a file, under a key: a run that was interrupted or killed goes on where \
            it stopped when the same command is given again, with the parameters that it was begun with, and what \
            has finished is not done again.
            """,
            """
            With --on workers the run's tasks are run by workers, which stepline work starts on any machine; the store is a \
            server then. This process owns the run, and says what is ready; with --slots it works as well. The bounds \
            of tasks hold for the whole run, those of hosts and steps in each worker.
            """,
            """
            With --on slurm --workers 2..40 Slurm starts the workers, as many as there is to do for: this command, the             file and the store are on machines' common ground then. --slots says how many tasks each runs at once, and             --sbatch hands options on to sbatch.
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
                title: "Which tasks",
                rows: [
                    Option.fromTask.row, Option.only.row, Option.anew.row, Option.planOnly.row,
                    Option.dryRun.row,
                ]),
            Group(
                title: "Keeping the run",
                rows: [
                    Option.store.row, Option.runKey.row, Option.retryingFailures.row, Option.runPlace.row,
                    Option.slots.row,
                ]),
            Group(
                title: "Workers under Slurm",
                rows: [Option.workers.row, Option.sbatch.row, Option.idle.row, Option.grace.row]),
            Group(title: "Testing it later", rows: [Option.record.row]),
            .displayOfRuns,
        ],
        examples: [
            Example(command: "stepline run weather.json5 --set city=Paris", purpose: "with a parameter"),
            Example(
                command: "stepline run feeds.json5 --from merge",
                purpose: "one task, and all that comes after it"),
            Example(
                command: "stepline run feeds.json5 --report run.html", purpose: "with a report of the run"),
            Example(
                command: "stepline run mirror.json5 --store runs.db",
                purpose: "kept, so that it goes on where it stopped when it is given again"),
            Example(
                command: "stepline run mirror.json5 --store runs.db --plan",
                purpose: "the plan of the run: each task, and why it would run"),
            Example(
                command: "stepline run mirror.json5 --store postgresql://db.example.org/runs --on workers",
                purpose: "on all machines where stepline work mirror.json5 is running"),
            Example(
                command:
                    "stepline run mirror.json5 --store postgresql://db.example.org/runs --on slurm --workers 2..40",
                purpose: "on machines of Slurm, as many as there is to do for"),
            Example(
                command: "stepline run weather.json5 --set city=Oslo --record weather.tests/oslo",
                purpose: "recorded, so that stepline test can run it again without the network"),
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
                "\(input.source.name) wants " + missing.map { "--set \($0)=…" }.joined(separator: " and "))
        }
        FlowManner(arguments).settle(&plan)
        let result = try FlowRunResult(printing: arguments[.print], of: plan, running: wish)
        wish.valued = result.neededTasks(of: plan.file)
        let selection = try FlowSelection(wish, of: plan, files: FlowFiles(plan.setting))
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
            throw UsageError("with --store all tasks are run: leave out TASK, --from and --only")
        }
        guard let place = arguments[.runPlace] else {
            if arguments[.slots] != nil { throw UsageError("--slots wants --on workers or --on slurm") }
            return
        }
        if arguments[.store] == nil { throw UsageError("--on \(place) wants --store") }
        if arguments[.record] != nil {
            throw UsageError("--record keeps what this process is answered: leave out --on \(place)")
        }
    }
}

extension Option<String> {
    static let fromTask = Option(
        text: "from", value: "TASK", completion: .tasks, isRepeatable: true,
        "run this task and what comes after it, with what they take the values of")
}

extension Option<Bool> {
    static let only = Option(flag: "only", "run the named tasks without what they need")
    static let anew = Option(flag: "anew", "run tasks as well whose files are up to date")
    static let keepGoing = Option(
        flag: "keep-going", short: "k", "finish what doesn't depend on a failure, whatever the file says")
}
