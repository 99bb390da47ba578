-- Layout 1: the first script of Sources/SteplineRuns/SQLite/Layout.swift.
CREATE TABLE runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT, workflow TEXT NOT NULL, key TEXT NOT NULL,
    created REAL NOT NULL, ending INTEGER, reason TEXT, ended REAL,
    host TEXT NOT NULL, process INTEGER NOT NULL, token INTEGER NOT NULL, since REAL NOT NULL,
    openings INTEGER NOT NULL, finished INTEGER NOT NULL, failed INTEGER NOT NULL,
    UNIQUE (workflow, key));
CREATE TABLE inputs (run INTEGER PRIMARY KEY, input BLOB NOT NULL);
CREATE TABLE steps (
    run INTEGER NOT NULL, name TEXT NOT NULL, state INTEGER NOT NULL,
    attempt INTEGER NOT NULL, token INTEGER NOT NULL, version INTEGER NOT NULL,
    links INTEGER NOT NULL,
    failures INTEGER NOT NULL, interruptions INTEGER NOT NULL,
    began REAL, ended REAL, due REAL, wait REAL NOT NULL,
    code TEXT, subject TEXT, message TEXT, underlying TEXT,
    size INTEGER, sum INTEGER, result BLOB,
    PRIMARY KEY (run, name)) WITHOUT ROWID;
CREATE TABLE history (
    id INTEGER PRIMARY KEY, run INTEGER NOT NULL, name TEXT NOT NULL, state INTEGER NOT NULL,
    attempt INTEGER NOT NULL, token INTEGER NOT NULL, version INTEGER NOT NULL,
    links INTEGER NOT NULL,
    failures INTEGER NOT NULL, interruptions INTEGER NOT NULL,
    began REAL, ended REAL, due REAL, wait REAL NOT NULL,
    code TEXT, subject TEXT, message TEXT, underlying TEXT, size INTEGER);
CREATE INDEX historyOfRun ON history (run);
CREATE TABLE signals (
    id INTEGER PRIMARY KEY, run INTEGER NOT NULL, kind INTEGER NOT NULL, condition TEXT NOT NULL,
    value BLOB, sent REAL NOT NULL, UNIQUE (run, kind, condition));
CREATE TABLE blobs (
    run INTEGER NOT NULL, sum BLOB NOT NULL, PRIMARY KEY (run, sum)) WITHOUT ROWID;
CREATE INDEX blobsBySum ON blobs (sum);
PRAGMA user_version = 1;
