import SteplineRuns

/// The schema of a store in a database, and the scripts that update older schemas.
enum Layout {
    /// The version of the schema that this program writes.
    static var version: Int { scripts.count }

    /// The scripts from each version to the next; the first creates the tables.
    ///
    /// Dates of runs and steps are seconds since 2001, in which every `Date` is exact. Leases are timestamps of
    /// `stepline.clock()`: the server's clock, unless a test replaces the function in its own database. States and
    /// endings have the numbers of `StoredRow`. `sum` is the CRC-32 of `result`.
    static let scripts: [String] = [
        // Version 1: runs and steps.
        """
        CREATE TABLE stepline.runs (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            workflow text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL, created float8 NOT NULL,
            ending int8, reason text, ended float8,
            host text NOT NULL, process int8 NOT NULL, token int8 NOT NULL, since float8 NOT NULL,
            openings int8 NOT NULL DEFAULT 0, finished int8 NOT NULL DEFAULT 0, failed int8 NOT NULL DEFAULT 0,
            input bytea,
            opening int8 NOT NULL DEFAULT 0, space text, held_until timestamptz,
            batch int8, refused int8[],
            UNIQUE (workflow, key)) WITH (fillfactor = 50);
        CREATE TABLE stepline.steps (
            run bigint NOT NULL REFERENCES stepline.runs ON DELETE CASCADE,
            name text COLLATE "C" NOT NULL, state int8 NOT NULL,
            attempt int8 NOT NULL, token int8 NOT NULL, version int8 NOT NULL, links int8 NOT NULL,
            failures int8 NOT NULL, interruptions int8 NOT NULL,
            began float8, ended float8, due float8, wait float8 NOT NULL,
            code text, subject text, message text, underlying text,
            size int8, sum int8, result bytea,
            PRIMARY KEY (run, name)) WITH (fillfactor = 80);
        CREATE TABLE stepline.history (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            run bigint NOT NULL REFERENCES stepline.runs ON DELETE CASCADE,
            name text COLLATE "C" NOT NULL, state int8 NOT NULL,
            attempt int8 NOT NULL, token int8 NOT NULL, version int8 NOT NULL, links int8 NOT NULL,
            failures int8 NOT NULL, interruptions int8 NOT NULL,
            began float8, ended float8, due float8, wait float8 NOT NULL,
            code text, subject text, message text, underlying text, size int8);
        CREATE INDEX history_of_run ON stepline.history (run);
        CREATE TABLE stepline.signals (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            run bigint NOT NULL REFERENCES stepline.runs ON DELETE CASCADE,
            kind int8 NOT NULL, condition text COLLATE "C" NOT NULL, value bytea, sent float8 NOT NULL,
            sending int8 NOT NULL, UNIQUE (run, kind, condition));
        CREATE TABLE stepline.cached (
            run bigint NOT NULL REFERENCES stepline.runs ON DELETE CASCADE,
            name text COLLATE "C" NOT NULL, attempt int8 NOT NULL, key text COLLATE "C" NOT NULL,
            PRIMARY KEY (run, name));
        CREATE INDEX cached_by_key ON stepline.cached (key);
        CREATE FUNCTION stepline.moment(seconds float8) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS
            $$ SELECT to_timestamp(greatest(least(seconds, 1e11), -1e11) + 978307200) $$;
        CREATE VIEW stepline.progress AS
            SELECT workflow, key,
                CASE WHEN ending IS NULL THEN CASE WHEN held_until > clock_timestamp() THEN 'running' ELSE 'interrupted' END
                    ELSE (ARRAY['finished', 'failed', 'cancelled', 'incomplete'])[ending + 1] END AS state,
                finished, failed, host, process, held_until, stepline.moment(created) AS created,
                stepline.moment(ended) AS ended, reason
            FROM stepline.runs;
        CREATE VIEW stepline.unfinished AS
            SELECT workflow, key, steps.name,
                (ARRAY['pending', 'running', 'waiting', 'finished', 'failed', 'cancelled'])[state + 1] AS state,
                attempt, stepline.moment(began) AS began, stepline.moment(due) AS due, message
            FROM stepline.steps JOIN stepline.runs ON runs.id = steps.run WHERE state <> 3;
        """,
        // Version 2: workers and offers. Outcomes have the numbers of `OfferRow`.
        """
        ALTER TABLE stepline.runs ADD COLUMN left_to_workers boolean NOT NULL DEFAULT false,
            ADD COLUMN turn int8 NOT NULL DEFAULT 0;
        CREATE INDEX runs_left ON stepline.runs (workflow) WHERE left_to_workers AND ending IS NULL;
        ALTER TABLE stepline.steps ADD COLUMN worker text;
        ALTER TABLE stepline.history ADD COLUMN worker text;
        CREATE TABLE stepline.workers (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            workflow text COLLATE "C" NOT NULL, host text NOT NULL, process int8 NOT NULL, space text,
            slots int8 NOT NULL, since timestamptz NOT NULL DEFAULT clock_timestamp(),
            held_until timestamptz NOT NULL, is_idle boolean NOT NULL DEFAULT false,
            unknown text[] NOT NULL DEFAULT '{}') WITH (fillfactor = 50);
        CREATE TABLE stepline.offers (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            run bigint NOT NULL REFERENCES stepline.runs ON DELETE CASCADE,
            workflow text COLLATE "C" NOT NULL, step text COLLATE "C" NOT NULL, task text COLLATE "C" NOT NULL,
            version int8 NOT NULL, attempt int8 NOT NULL, token int8 NOT NULL, links int8 NOT NULL,
            failures int8 NOT NULL, interruptions int8 NOT NULL, priority int8 NOT NULL, turn int8 NOT NULL,
            cache_key text, worker int8, worker_name text, began float8, to_stop boolean NOT NULL DEFAULT false,
            outcome int8, code text, subject text, message text, underlying text, wait float8,
            UNIQUE (run, step)) WITH (fillfactor = 70);
        CREATE INDEX offers_waiting ON stepline.offers (workflow, priority DESC, turn, id)
            WHERE worker IS NULL AND outcome IS NULL;
        CREATE INDEX offers_risky ON stepline.offers (workflow)
            WHERE worker IS NULL AND outcome IS NULL AND interruptions > 1;
        CREATE INDEX offers_held ON stepline.offers (worker) WHERE worker IS NOT NULL AND outcome IS NULL;
        CREATE INDEX offers_ended ON stepline.offers (run) WHERE outcome IS NOT NULL;
        CREATE VIEW stepline.ready AS
            SELECT offers.workflow, key, step, version, attempt, priority
            FROM stepline.offers JOIN stepline.runs ON runs.id = offers.run
            WHERE worker IS NULL AND outcome IS NULL;
        CREATE VIEW stepline.running AS
            SELECT offers.workflow, key, step, attempt, worker_name AS worker, stepline.moment(began) AS began
            FROM stepline.offers JOIN stepline.runs ON runs.id = offers.run
            WHERE worker IS NOT NULL AND outcome IS NULL;
        CREATE VIEW stepline.alive AS
            SELECT id, workflow, host, process, slots, since, held_until, is_idle, unknown FROM stepline.workers
            WHERE held_until > clock_timestamp();
        """,
        // Version 3: the change of the run's counters by an end that its owner hasn't acknowledged yet.
        // Workers add it to the offer instead of the run, so that they don't wait for the run's row. Readers add both.
        """
        ALTER TABLE stepline.offers
            ADD COLUMN finished int8 NOT NULL DEFAULT 0, ADD COLUMN failed int8 NOT NULL DEFAULT 0;
        UPDATE stepline.offers SET finished = 1 WHERE outcome = 0;
        CREATE OR REPLACE VIEW stepline.progress AS
            SELECT workflow, key,
                CASE WHEN ending IS NULL THEN CASE WHEN held_until > clock_timestamp() THEN 'running' ELSE 'interrupted' END
                    ELSE (ARRAY['finished', 'failed', 'cancelled', 'incomplete'])[ending + 1] END AS state,
                runs.finished + coalesce(unheard.finished, 0)::int8 AS finished,
                runs.failed + coalesce(unheard.failed, 0)::int8 AS failed,
                host, process, held_until, stepline.moment(created) AS created,
                stepline.moment(ended) AS ended, reason
            FROM stepline.runs CROSS JOIN LATERAL (
                SELECT sum(finished) AS finished, sum(failed) AS failed FROM stepline.offers
                WHERE run = runs.id AND outcome IS NOT NULL) AS unheard;
        """,
        // Version 4: the clock of leases. The planner inlines the function, so a call costs no more than the server's
        // clock.
        """
        CREATE FUNCTION stepline.clock() RETURNS timestamptz LANGUAGE sql VOLATILE AS
            $$ SELECT pg_catalog.clock_timestamp() $$;
        ALTER TABLE stepline.workers ALTER COLUMN since SET DEFAULT stepline.clock();
        CREATE OR REPLACE VIEW stepline.progress AS
            SELECT workflow, key,
                CASE WHEN ending IS NULL THEN CASE WHEN held_until > stepline.clock() THEN 'running' ELSE 'interrupted' END
                    ELSE (ARRAY['finished', 'failed', 'cancelled', 'incomplete'])[ending + 1] END AS state,
                runs.finished + coalesce(unheard.finished, 0)::int8 AS finished,
                runs.failed + coalesce(unheard.failed, 0)::int8 AS failed,
                host, process, held_until, stepline.moment(created) AS created,
                stepline.moment(ended) AS ended, reason
            FROM stepline.runs CROSS JOIN LATERAL (
                SELECT sum(finished) AS finished, sum(failed) AS failed FROM stepline.offers
                WHERE run = runs.id AND outcome IS NOT NULL) AS unheard;
        CREATE OR REPLACE VIEW stepline.alive AS
            SELECT id, workflow, host, process, slots, since, held_until, is_idle, unknown FROM stepline.workers
            WHERE held_until > stepline.clock();
        """,
        // Version 5: a run that was created and never opened waits; it wasn't interrupted.
        """
        CREATE OR REPLACE VIEW stepline.progress AS
            SELECT workflow, key,
                CASE WHEN ending IS NOT NULL THEN (ARRAY['finished', 'failed', 'cancelled', 'incomplete'])[ending + 1]
                    WHEN openings = 0 THEN 'waiting' WHEN held_until > stepline.clock() THEN 'running'
                    ELSE 'interrupted' END AS state,
                runs.finished + coalesce(unheard.finished, 0)::int8 AS finished,
                runs.failed + coalesce(unheard.failed, 0)::int8 AS failed,
                host, process, held_until, stepline.moment(created) AS created,
                stepline.moment(ended) AS ended, reason
            FROM stepline.runs CROSS JOIN LATERAL (
                SELECT sum(finished) AS finished, sum(failed) AS failed FROM stepline.offers
                WHERE run = runs.id AND outcome IS NOT NULL) AS unheard;
        """,
        // Version 6: the element of a growing map that an offer is for.
        "ALTER TABLE stepline.offers ADD COLUMN element bytea;",
    ]

    /// Creates the store in a database, or updates its schema, in one transaction.
    static func prepare(_ sessions: Sessions) throws {
        let store = sessions.address.name
        try sessions.transaction(patience: .zero) { session in
            // Serializes concurrent calls: another process may be updating the schema.
            try session.run("SELECT pg_advisory_xact_lock(1398034508)")
            let old: Int
            switch try find(session) {
            case .nothing:
                try checkServer(session, store)
                try session.run(
                    """
                    CREATE SCHEMA stepline;
                    CREATE TABLE stepline.layout (version int8 NOT NULL);
                    INSERT INTO stepline.layout VALUES (0)
                    """)
                old = 0
            case .other:
                throw RunStoreError(
                    .notAStore, store: store,
                    "its database has a schema \"stepline\" of another program, which is left as it is")
            case .layout(let layout): old = layout
            }
            guard old <= version else { throw newer(old, store: store) }
            // The present version needs no change.
            guard old < version else { return }
            for script in scripts.dropFirst(old) { try session.run(script) }
            try session.run("UPDATE stepline.layout SET version = $1", [Value(version)])
        }
    }

    /// Throws an error if the database has no store with the present schema.
    static func check(_ sessions: Sessions) throws {
        let store = sessions.address.name
        try sessions.transaction(patience: .zero) { session in
            switch try find(session) {
            case .nothing, .other: throw RunStoreError.notPrepared(store: store)
            case .layout(let layout) where layout > version: throw newer(layout, store: store)
            case .layout(let layout) where layout < version:
                throw RunStoreError.notPrepared(store: store, layout: layout)
            case .layout: break
            }
        }
    }

    private enum Found {
        case nothing
        case other
        case layout(Int)
    }

    private static func find(_ session: Session) throws -> Found {
        // A schema of that name without the version table belongs to another program.
        let place = try session.run(
            "SELECT to_regnamespace('stepline') IS NOT NULL, to_regclass('stepline.layout') IS NOT NULL", [])
        guard place.first?.truth(0) == true else { return .nothing }
        guard place.first?.truth(1) == true else { return .other }
        return .layout(try session.run("SELECT version FROM stepline.layout", []).first?.integer(0) ?? 0)
    }

    private static func checkServer(_ session: Session, _ store: String) throws {
        func refusal(_ detail: String) -> RunStoreError {
            RunStoreError(.unsuitablePlace, store: store, detail)
        }
        guard session.serverVersion >= 130_000 else {
            throw refusal("PostgreSQL 13 or later is needed, and this is \(session.serverVersion / 10_000)")
        }
        // Names are sorted and compared by UTF-8 bytes.
        let encoding = try session.run("SELECT getdatabaseencoding()::text", []).first?.text(0) ?? ""
        guard encoding == "UTF8" else { throw refusal("its database is in \(encoding), and must be in UTF8") }
    }

    private static func newer(_ layout: Int, store: String) -> RunStoreError {
        RunStoreError(
            .newerLayout, store: store,
            "it was made by a later version of Stepline: its layout is \(layout), and this version knows "
                + "those up to \(version); it is left as it is")
    }
}
