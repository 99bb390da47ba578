import Foundation
import SteplineRuns

extension Subcommand {
    /// `stepline runs VERB`.
    static let runs = Subcommand(
        name: "runs", summary: "show and change the runs in a store",
        operands: Operands(
            placeholder: "VERB [KEY]…", count: 1...4, completion: .choices(RunsVerb.allCases.map(\.rawValue))),
        discussion: [
            """
            list prints the runs in a store; --state and --older-than select some of them. show KEY prints a run: its \
            steps, why they wait, and the command to enter next. show KEY STEP prints one step. log KEY prints all \
            attempts of all steps by time.
            """,
            """
            show KEY --follow prints changes until the run ends: on a terminal as a status line, elsewhere as a line \
            for each change. The exit code is 0 if the run finished, otherwise 1.
            """,
            """
            result KEY prints the result of a workflow file's run, as run printed it. result KEY STEP prints the \
            stored result of a finished step, as JSON. show KEY STEP --value prints the step's value.
            """,
            """
            pause KEY starts no more steps; running steps continue. resume KEY ends the pause. retry KEY does the \
            same. If no process owns the run, both print the command that continues the run; that of retry also runs \
            failed and cancelled steps again. cancel KEY ends the run; only a retry continues a cancelled run.
            """,
            """
            signal KEY CONDITION [JSON] fulfils a condition that a run waits for. With --withdraw it removes a wrong \
            signal.
            """,
            """
            fork KEY --from STEP --to KEY copies a run of a workflow file to a new key, without the results of STEP \
            and its dependents. forget KEY removes a run; forget --older-than TIME removes all runs that ended longer \
            ago.
            """,
            """
            prepare creates or updates the tables of a server's store. A file needs no prepare: the first run creates \
            it.
            """,
            "If several workflows have a run with that key, write WORKFLOW/KEY, or add --workflow.",
        ],
        groups: [
            Group(
                title: "Runs",
                rows: [
                    Option.store.row, Option.runsOf.row, Option.asJSON.row, Option.followRun.row,
                    Option.value.row,
                    Option.reason.row, Option.forkFrom.row, Option.forkTo.row,
                    Option.asText.row, Option.withdraw.row, Option.runState.row, Option.olderThan.row,
                    Option.report.row,
                    Option.force.row,
                ])
        ],
        examples: [
            Example(command: "stepline runs list --store runs.db", purpose: "list all runs"),
            Example(
                command: "stepline runs show 2026-11-22 --store runs.db", purpose: "show a run and its steps"),
            Example(
                command: "stepline runs show 2026-11-22 --store runs.db --follow",
                purpose: "follow a run of another process"),
            Example(
                command: "stepline runs result 2026-11-22 --store runs.db",
                purpose: "print the result that the run printed"),
            Example(
                command: "stepline runs show 2026-11-22 --store runs.db --report run.html",
                purpose: "write a report of a run, in any state"),
            Example(
                command: "stepline runs prepare --store postgresql://db.example.org/runs",
                purpose: "create a store in a server's database"),
            Example(
                command: "stepline runs forget --older-than 30d --store runs.db",
                purpose: "remove runs that ended over a month ago"),
        ]
    ) { arguments, session in
        let word = arguments.operands[0]
        guard let verb = RunsVerb(rawValue: word) else {
            let verbs = RunsVerb.allCases.map(\.rawValue)
            throw UsageError("unknown verb '\(word)'" + Guess.question(word, among: verbs))
        }
        let given = Array(arguments.operands.dropFirst())
        if given.count < verb.operands.lowerBound {
            throw UsageError(given.isEmpty ? "KEY is missing" : "CONDITION is missing")
        }
        if given.count > verb.operands.upperBound {
            throw UsageError("unexpected argument '\(given[verb.operands.upperBound])'")
        }
        let command = try RunsCommand(arguments, session, preparing: verb == .prepare)
        if verb == .show, arguments.isOn(.followRun) {
            if given.count > 1 { throw UsageError("--follow shows a whole run: leave out '\(given[1])'") }
            return try await command.follow(given[0])
        }
        if let value = try command.value(verb, given) {
            try session.output.write(value)
            return .success
        }
        let answer = try command.answer(verb, given)
        try session.output.write(answer.output)
        return answer.code == 0 ? .success : .failure
    }
}
