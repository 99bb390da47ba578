-- The runs of OldWorkflow (Tests/SteplineRunsTests/Store/OldWorkflow.swift), in the columns of layout 1.
--
-- Endings: 0 finished, 1 failed, 2 cancelled; none for a run that goes on or was interrupted.
-- States: 0 pending, 1 running, 2 waiting, 3 finished, 4 failed, 5 cancelled.
-- Times are seconds since the first moment of 2001: 789000000 is 1 January 2026, 22:40 UTC.
-- links are FNV-1a digests of the prerequisites' names: 7347990519673328018 of none, 4430104392986095384 of `index`,
-- 4963858830581730435 of `page` and `approved`. sum is the CRC-32 of the result.
INSERT INTO runs VALUES
    (1, 'mirror', 'finished',    789000000.5, 0,    NULL,               789000060.25, 'host-a', 4101, 1001, 789000000.5, 1, 15, 0),
    (2, 'mirror', 'failed',      789000100,   1,    NULL,               789000290,    'host-a', 4102, 1003, 789000200,   2, 14, 1),
    (3, 'mirror', 'cancelled',   789000300,   2,    'no longer needed', 789000301,    'host-b', 4103, 1004, 789000300,   1, 1,  0),
    (4, 'mirror', 'interrupted', 789000400,   NULL, NULL,               NULL,         'host-a', 4104, 1005, 789000400,   1, 10, 0);
INSERT INTO inputs VALUES (2, CAST('{"depth":3}' AS BLOB));

-- The finished run: a result of each kind.
INSERT INTO steps VALUES
    (1, 'approved', 3, 1, 1001, 1, 7347990519673328018, 0, 0, 789000050, 789000050, NULL, 0, NULL, NULL, NULL, NULL,
        4, 4261170317, CAST('true' AS BLOB)),
    (1, 'bytes',    3, 1, 1001, 1, 7347990519673328018, 0, 0, 789000001, 789000002, NULL, 0, NULL, NULL, NULL, NULL,
        2, 1826356594, X'00FF'),
    (1, 'index',    3, 1, 1001, 1, 7347990519673328018, 0, 0, 789000001, 789000002, NULL, 0, NULL, NULL, NULL, NULL,
        19, 2163926154, CAST('["\/a","\/b","\/c"]' AS BLOB)),
    (1, 'json',     3, 1, 1001, 1, 7347990519673328018, 0, 0, 789000001, 789000002, NULL, 0, NULL, NULL, NULL, NULL,
        18, 98395292, CAST('{"b":1,"a":[2.50]}' AS BLOB)),
    -- 65,537 times the letter b, beside the store under its SHA-256; the test makes that file.
    (1, 'large',    3, 1, 1001, 1, 7347990519673328018, 0, 0, 789000001, 789000002, NULL, 0, NULL, NULL, NULL, NULL,
        65537, NULL, X'00056D4DBD0981B55E459D5B86BD544D5871CA666787E16992D56DF358D1EA07'),
    (1, 'none',     3, 1, 1001, 1, 7347990519673328018, 0, 0, 789000001, 789000002, NULL, 0, NULL, NULL, NULL, NULL,
        4, 634125391, CAST('null' AS BLOB)),
    (1, 'nothing',  3, 1, 1001, 1, 7347990519673328018, 0, 0, 789000001, 789000002, NULL, 0, NULL, NULL, NULL, NULL,
        NULL, NULL, NULL),
    (1, 'page',     3, 1, 1001, 1, 4430104392986095384, 0, 0, 789000005, 789000005, NULL, 0, NULL, NULL, NULL, NULL,
        7, 1659039750, CAST('[2,2,2]' AS BLOB)),
    (1, 'page[/a]', 3, 1, 1001, 1, 7347990519673328018, 0, 0, 789000003, 789000004, NULL, 0, NULL, NULL, NULL, NULL,
        1, 450215437, CAST('2' AS BLOB)),
    (1, 'page[/b]', 3, 1, 1001, 1, 7347990519673328018, 0, 0, 789000003, 789000004, NULL, 0, NULL, NULL, NULL, NULL,
        1, 450215437, CAST('2' AS BLOB)),
    -- Its second attempt, after a failure.
    (1, 'page[/c]', 3, 2, 1001, 1, 7347990519673328018, 1, 0, 789000034, 789000035, NULL, 0, NULL, NULL, NULL, NULL,
        1, 450215437, CAST('2' AS BLOB)),
    (1, 'record',   3, 1, 1001, 1, 7347990519673328018, 0, 0, 789000001, 789000002, NULL, 0, NULL, NULL, NULL, NULL,
        51, 3817674703, CAST('[{"date":789000000.25,"size":"nan","title":"é\n"}]' AS BLOB)),
    (1, 'summary',  3, 1, 1001, 1, 4430104392986095384, 0, 0, 789000003, 789000004, NULL, 0, NULL, NULL, NULL, NULL,
        8, 1129129158, CAST('/a /b /c' AS BLOB)),
    (1, 'title',    3, 1, 1001, 1, 7347990519673328018, 0, 0, 789000001, 789000002, NULL, 0, NULL, NULL, NULL, NULL,
        10, 428345301, CAST('Übersicht' AS BLOB)),
    (1, 'total',    3, 1, 1001, 1, 4963858830581730435, 0, 0, 789000060, 789000060, NULL, 0, NULL, NULL, NULL, NULL,
        1, 498629140, CAST('6' AS BLOB));
INSERT INTO history VALUES
    (1, 1, 'page[/c]', 2, 1, 1001, 1, 7347990519673328018, 1, 0, 789000003, 789000004, 789000034, 30,
        'Failure', 'page[/c]', 'page[/c] is down', NULL, NULL);

-- The failed run: as the finished one, but `title` failed, was retried by hand, and failed again.
INSERT INTO steps
    SELECT 2, name, state, 1, 1002, version, links, 0, 0, 789000101, 789000102, NULL, 0, NULL, NULL, NULL, NULL,
        size, sum, result
    FROM steps WHERE run = 1 AND name <> 'title';
INSERT INTO steps VALUES
    (2, 'title', 4, 2, 1003, 1, 7347990519673328018, 1, 0, 789000201, 789000202, NULL, 0,
        'Failure', 'title', 'title is down', 'the cause', NULL, NULL, NULL);
INSERT INTO history VALUES
    (2, 2, 'title', 4, 1, 1002, 1, 7347990519673328018, 1, 0, 789000101, 789000102, NULL, 0,
        'Failure', 'title', 'title is down', NULL, NULL);

-- The cancelled run: `index` had finished, `title` never began.
INSERT INTO steps VALUES
    (3, 'index', 3, 1, 1004, 1, 7347990519673328018, 0, 0, 789000300, 789000301, NULL, 0, NULL, NULL, NULL, NULL,
        19, 2163926154, CAST('["\/a","\/b","\/c"]' AS BLOB)),
    (3, 'title', 5, 1, 1004, 1, 7347990519673328018, 0, 0, NULL, 789000301, NULL, 0,
        'requested', 'title', 'no longer needed', NULL, NULL, NULL, NULL);

-- The interrupted run: `page[/b]` ran when its process ended, for the second time; `page[/c]` waited for a retry;
-- `page` and `total` had not begun, and a signal for `approved` had come.
INSERT INTO steps
    SELECT 4, name, state, 1, 1005, version, links, 0, 0, 789000401, 789000402, NULL, 0, NULL, NULL, NULL, NULL,
        size, sum, result
    FROM steps WHERE run = 1 AND name NOT IN ('approved', 'page', 'page[/b]', 'page[/c]', 'total');
INSERT INTO steps VALUES
    (4, 'page[/b]', 1, 1, 1005, 1, 7347990519673328018, 0, 1, 789000403, NULL, NULL, 0, NULL, NULL, NULL, NULL,
        NULL, NULL, NULL),
    (4, 'page[/c]', 2, 1, 1005, 1, 7347990519673328018, 1, 0, 789000403, 789000404, 789000434, 30,
        'Failure', 'page[/c]', 'page[/c] is down', NULL, NULL, NULL, NULL);

INSERT INTO signals VALUES
    (1, 1, 0, 'approved', CAST('true' AS BLOB), 789000050), (2, 2, 0, 'approved', CAST('true' AS BLOB), 789000101),
    (3, 4, 0, 'approved', CAST('true' AS BLOB), 789000405);
INSERT INTO blobs
    SELECT run, result FROM steps WHERE name = 'large';
