/// The text of a program's `--help`.
enum ProgramHelp {
    static func text(name: String) -> String {
        """
        usage: \(name) run --store STORE --key KEY [--input JSON] [--retrying-failures] [--json]
               \(name) plan --store STORE --key KEY [--input JSON] [--retrying-failures] [--json]
               \(name) run --on workers|slurm [--workers N|A..B] … [-- OPTIONS OF SBATCH]
               \(name) work --store STORE [--slots N] [--idle TIME] [--grace TIME] [--json]
               \(name) runs VERB … --store STORE [--json]

        run begins the run of that key, or goes on where it stopped; what has finished isn't run again.

          --store STORE           where runs are kept: a file, or a server's URL (STEPLINE_STORE)
          --key KEY               which run
          --input JSON            what it is started with; kept for when it goes on. A secret in it is given by
                                  the name of an environment variable: {"$environment": "API_TOKEN"}
          --retrying-failures     run steps that failed in an earlier process again
          --json                  write JSON
          --on workers            have workers run the steps, which anybody starts on any machine; the store is a server
          --on slurm              the same, and have Slurm start --workers of them; what stands behind -- is for sbatch
          --slots N               how many steps a worker runs at once; with --on workers, this process as well

        plan tells what run would do with each step, and why. Nothing is run, stored or created.

        work runs steps of runs that are left to workers, until it is asked to leave by SIGTERM.

          --idle TIME             leave when there has been nothing to do for that long, such as 60s
          --grace TIME            for how long steps may go on once it is asked to leave; what isn't over is given back (5s)

        runs list [--state S] [--older-than TIME]
                                              runs: all, those that are running, interrupted, finished, failed,
                                              cancelled or incomplete, those that were begun longer ago
        runs show KEY [--follow]              a run and its steps, and what to do next; --follow tells
                                              what changes until the run is over
        runs log KEY                          all attempts, by time
        runs result KEY STEP                  the result of a finished step, as JSON
        runs pause KEY                        begin no more steps of it, until runs resume
        runs resume KEY                       end its pause, and go on as run does
        runs retry KEY                        go on, and run what failed again
        runs cancel KEY [--reason TEXT]       stop a run for good
        runs signal KEY CONDITION [JSON]      fulfil a condition
        runs signal KEY CONDITION --withdraw  remove a wrong signal, so that another can be sent
        runs fork KEY --from STEP --to KEY    make a run that keeps all that doesn't follow from a step
        runs forget KEY | --older-than TIME   remove runs, such as those that ended 30d ago

        runs prepare                          make the store, or bring it up to date, as a server wants it

        It ends with 0 if everything succeeded, 1 if something failed, 2 if the command line is wrong, and 130 \
        after Ctrl-C.

        """
    }
}
