/// The texts between the page's tables.
enum FleetText {
    static func beginning(seed: UInt64) -> String {
        """
        # Ten thousand workers, played

        No machine that this package is made on holds 10,000 workers and 10 million steps. So they are played: a clock and a queue
        of events, around the rules by which the store itself decides who may have which step (`OfferBoard`, the same code that
        runs in a store in memory). What workers and owners of runs ask, statement by statement, is what they ask in earnest; what
        the statements take a server was measured. No number here is one of a real fleet.

        ```sh
        Benchmarks/fleet              # plays all of it and writes this page, as seed \(seed) has it
        SEED=2 Benchmarks/fleet /tmp/page.md
        Benchmarks/fleet measure      # measures the statements on a PostgreSQL of its own
        ```

        The same seed gives the same page. All of it takes some seven minutes of a processor's time, on as many cores as there are, and
        220 MB. `FleetTests` holds the small play to its promises: no step lost, none committed twice,
        and an end.
        """
    }

    static let growth = """
        ## Where it bends

        Bodies take 4 to 12 seconds, a worker has 8 slots, and there is always work for nine of ten. A run is of chains in which
        each step stands on the one before it; 100 workers share a run of 720 chains. The server has 32 processors, and allows
        25,000 connections where nothing else is said. *Wait* is from when a step could begin until it did, *busy* is the part of
        the time in which the server's processors had something to do.
        """

    static let behindGrowth = """
        **Telling bends first**, before rows and before connections. Each worker has a connection that listens, and `NOTIFY` wakes
        all connections that listen in a database, whomever it means: what is told grows with the workers, and so does what
        telling takes, hence the server's time with their square. With 100 workers that is nothing, with 1,000 it is most of what
        the server does and still no harm, and with 3,000 it has no time left. With 10,000 even the renewal of a lease comes
        too late: workers are taken for dead that live, their steps are begun again, and some fail as steps do whose workers have
        ended three times.

        **Connections are next.** Each worker needs two, and a server is seldom set to more than some thousand. Where they are at
        an end, who has one works, and the others go on knocking; nothing is lost by it.

        **Rows aren't what bends**: five to ten are written for each step, all told. Keeping and taking steps have a small part in
        the server's time throughout.
        """

    static let remedies = """
        ## What to do then

        First, **fewer workers with more slots each**: `work --slots 80` once on a machine rather than ten times `--slots 8`. It is
        the number of processes that telling and connections go by, not that of steps in hand; and a larger worker hands in
        more ends with each statement. Then, **several servers by the key of the run**: each server is a store of its own, a
        worker belongs to one of them, and whoever starts a run chooses by its key, as in
        `STEPLINE_STORE=postgresql://runs@db$((key % 16)).example.org/runs`. Runs know nothing of each other, so that nothing is
        lost by it but results that `.cached(for:)` would have found in another run.
        """

    static let behindRemedies = """
        The second line is the 10 million steps of 10,000 workers. A third way is open to the store, and not taken yet: workers
        that have steps in hand look for more whenever one ends, and could do without being told.
        """

    static let regionLost = """
        ## A region is lost

        After 75 seconds a third of the workers and of the owners of runs is gone at once, and stays away. Servers aren't told:
        what the lost ones had in hand is offered again when their leases are over (15 s), and runs without owner are taken over
        by workers. *Normal* is when as much is done as those that are left can do, and the last step that was lost has begun again.
        """

    static let behindRegionLost = """
        A step whose body was in the lost region is *done twice* only in so far as its body has begun twice; its result is
        committed once. After that, the slots that are left have more work than they can do, and the waits are those of a queue.
        """

    static let failovers = """
        ## A server is away for 30 seconds

        After 75 seconds a server is gone with all connections, and its stand-in is there 30 seconds later with all that was
        committed. Bodies go on meanwhile; workers and owners try again, after pauses that grow to 5 seconds.
        """

    static let behindFailovers = """
        An absence that is longer than a lease (15 s) costs more than itself: the first owner that is back sweeps away all
        workers that aren't back yet, though nothing is wrong with them, and what they have done in the meantime is refused.
        The lines with *dead workers spared* are a store that takes nobody for dead before its server has been there for a
        lease: so does the store where the same server comes back, but not where another one that ran already takes over.
        Runs whose owner's lease has run out as well go on with another owner. What helps there is a lease that is longer than
        a failover takes, `RunStore.postgreSQL(_:lease:)`, at the price that a worker which is really gone is missed later.
        With several servers the others go on as if nothing were.
        """

    static let model = """
        ## What the statements take

        Measured on PostgreSQL 15 by the time of its processors (`Benchmarks/fleet measure`), and rounded. Not measured, but
        assumed: a commit is on the disk after 1 ms; a round trip takes 1 ms; a refused connection 1 ms of a processor; telling
        without writing holds the lock that all telling needs for 50 µs. Statements queue for the processors in the order in which
        they come.
        """

    static let leftOut = """
        ## What the model leaves out

        - Locks other than that of telling, and rows that are passed over since another is just taking them.
        - What a table is like after many millions of changes: dead rows, vacuum, checkpoints, the traffic to a stand-in.
        - Bytes: results are small, and neither the network nor the disk is ever full.
        - The planner. Taking steps is reckoned as walking along the index that is made for it. A PostgreSQL that has counted
          the table anew while many offers wait sorts all of them for each claim instead: measured, 2 ms with 5,000 waiting and
          22 ms with 50,000.
        - What owners and workers compute: the machines of neither are ever at an end.
        - Clocks that go wrong, networks that are cut in the middle, and bodies that don't stop when they are told to.
        - A process that signals again those who haven't woken yet is reckoned, their waking twice is not.
        """
}
