/// What `--help` of a program shows.
enum ProgramHelp {
    static func text(name: String) -> String {
        """
        usage: \(name) run --store STORE --key KEY [--input JSON] [--retrying-failures] [--json]
               \(name) runs VERB … --store STORE [--json]

        run begins the run of that key, or goes on where it stopped; what has finished isn't run again.

          --store STORE           where runs are kept: a file, or a server's URL (STEPLINE_STORE)
          --key KEY               which run
          --input JSON            what it is started with; kept for when it goes on. A secret in it is given by
                                  the name of an environment variable: {"$environment": "API_TOKEN"}
          --retrying-failures     run steps that failed in an earlier process again
          --json                  write JSON

        runs list                             all runs
        runs show KEY [--follow]              a run and its steps, and what to do next; --follow tells
                                              what changes until the run is over
        runs log KEY                          all attempts, by time
        runs resume KEY                       go on, as run does
        runs retry KEY                        go on, and run what failed again
        runs cancel KEY [--reason TEXT]       stop a run for good
        runs signal KEY CONDITION [JSON]      fulfil a condition
        runs fork KEY --from STEP --to KEY    make a run that keeps all that doesn't follow from a step
        runs forget KEY | --older-than TIME   remove runs, such as those that ended 30d ago

        runs prepare                          make the store, or bring it up to date, as a server wants it

        It ends with 0 if everything succeeded, 1 if something failed, 2 if the command line is wrong, and 130 \
        after Ctrl-C.

        """
    }
}
