import Foundation
import SteplineRuns

extension Subcommand {
    /// `stepline runs VERB`.
    static let runs = Subcommand(
        name: "runs", summary: "look at the runs that are kept in a store, and change them",
        operands: Operands(
            placeholder: "VERB [KEY]…", count: 1...4, completion: .choices(RunsVerb.allCases.map(\.rawValue))),
        discussion: [
            """
            list tells the runs, all or those in a --state; show KEY one run with its steps, why they wait and what to do next, and with \
            --follow what changes in it until it is over, as a status line on a terminal and a line for each change \
            elsewhere; show KEY STEP one step, with --value its value alone; log KEY all attempts by time; \
            result KEY the result of a workflow file's run, as run has printed it; result KEY STEP the stored result of a finished step, as JSON. \
            pause KEY lets no more steps begin; resume KEY ends that. resume and retry write the command that goes on. cancel KEY stops a run for good; signal KEY CONDITION [JSON] fulfils a condition, and with \
            --withdraw removes a wrong signal; fork KEY --from STEP \
            --to KEY makes a run of a workflow file that keeps all that doesn't follow from a step; forget KEY, or \
            forget --older-than TIME, removes runs. prepare makes the store, or brings it up to date: a server wants that \
            once, a file is made by who runs something in it.
            """,
            "Where several workflows have a run of that key, WORKFLOW/KEY says which.",
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
            Example(command: "stepline runs list --store runs.db", purpose: "all runs"),
            Example(command: "stepline runs show 2026-11-22 --store runs.db", purpose: "one, and its steps"),
            Example(
                command: "stepline runs show 2026-11-22 --store runs.db --follow",
                purpose: "watch it while another process runs it"),
            Example(
                command: "stepline runs result 2026-11-22 --store runs.db",
                purpose: "the result that the run has printed"),
            Example(
                command: "stepline runs show 2026-11-22 --store runs.db --report run.html",
                purpose: "with a report, however it goes or has ended"),
            Example(
                command: "stepline runs prepare --store postgresql://db.example.org/runs",
                purpose: "make a server's database a store"),
            Example(
                command: "stepline runs forget --older-than 30d --store runs.db",
                purpose: "remove what ended a month ago"),
        ]
    ) { arguments, session in
        let word = arguments.operands[0]
        guard let verb = RunsVerb(rawValue: word) else {
            let verbs = RunsVerb.allCases.map(\.rawValue)
            throw UsageError("there is no 'runs \(word)'" + Guess.question(word, among: verbs))
        }
        let given = Array(arguments.operands.dropFirst())
        if given.count < verb.operands.lowerBound {
            throw UsageError(given.isEmpty ? "KEY is missing" : "CONDITION is missing")
        }
        if given.count > verb.operands.upperBound {
            throw UsageError("'\(given[verb.operands.upperBound])' is too much")
        }
        let command = try RunsCommand(arguments, session, preparing: verb == .prepare)
        if verb == .show, arguments.isOn(.followRun) {
            if given.count > 1 { throw UsageError("--follow is for the whole run: leave out '\(given[1])'") }
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
