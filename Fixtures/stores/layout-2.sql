-- Layout 2: the second script of Sources/SteplineRuns/SQLite/Layout.swift, applied to layout 1.
CREATE TABLE cached (
    run INTEGER NOT NULL, name TEXT NOT NULL, attempt INTEGER NOT NULL, key TEXT NOT NULL,
    PRIMARY KEY (run, name)) WITHOUT ROWID;
CREATE INDEX cachedByKey ON cached (key);
PRAGMA user_version = 2;
