/// The text of a program's `--help`.
enum ProgramHelp {
    static func text(name: String) -> String {
        """
        usage: \(name) run --store STORE --key KEY [--input JSON] [--retrying-failures] [--json]
               \(name) plan --store STORE --key KEY [--input JSON] [--retrying-failures] [--json]
               \(name) run --on workers|slurm [--workers N|A..B] … [-- OPTIONS OF SBATCH]
               \(name) work --store STORE [--slots N] [--idle TIME] [--grace TIME] [--json]
               \(name) runs VERB … --store STORE [--json]

        run starts the run with this key, or resumes it. Finished steps don't run again.

          --store STORE           the run store: a file or a server's URL (STEPLINE_STORE)
          --key KEY               key of the run
          --input JSON            input of a new run, stored for resuming. Write a secret as the name of an
                                  environment variable: {"$environment": "API_TOKEN"}
          --retrying-failures     retry steps that failed in an earlier process
          --json                  write JSON
          --on workers            let workers, started on any machine, run the steps; the store must be a server
          --on slurm              the same, but Slurm starts --workers of them; options after -- go to sbatch
          --slots N               steps that a worker runs at once; with --on workers, this process as well

        plan prints what run would do with each step, and why. Nothing is run, stored or created.

        work runs steps of runs started with --on, until SIGTERM asks it to stop.

          --idle TIME             stop after this time without work, such as 60s
          --grace TIME            time for running steps after SIGTERM; unfinished ones are released (5s)

        runs list [--state S] [--older-than TIME]
                                              runs: all, in state S (waiting, running, interrupted,
                                              finished, failed, cancelled, incomplete) or created
                                              longer than TIME ago
        runs show KEY [--follow]              a run, its steps and what to do next; --follow prints
                                              changes until the run is over
        runs log KEY                          all attempts, by time
        runs result KEY STEP                  the result of a finished step, as JSON
        runs pause KEY                        start no more steps, until runs resume
        runs resume KEY                       end the pause, and continue as run does
        runs retry KEY                        continue, and retry failed steps
        runs cancel KEY [--reason TEXT]       stop a run for good
        runs signal KEY CONDITION [JSON]      fulfil a condition
        runs signal KEY CONDITION --withdraw  remove a wrong signal, so that another can be sent
        runs fork KEY --from STEP --to KEY    copy a run without the results of STEP and its dependents
        runs forget KEY | --older-than TIME   remove runs, such as those that ended 30d ago

        runs prepare                          create or update the store, needed for a server

        Exit code: 0 if everything succeeded, 1 if something failed, 2 if the command line is wrong, 130 \
        after Ctrl-C.

        """
    }
}
