extension Subcommand {
    /// `stepline crawl URL…`.
    static let crawl = Subcommand(
        name: "crawl", summary: "load the pages of a site, and write a row for each",
        operands: Operands(placeholder: "URL…", count: 1...1000),
        discussion: [
            """
            Loads the pages at the URLs and the pages that they link to, each once, on the same hosts, as robots.txt \
            allows. Each HTML page has a row with its URL and the columns of --select: the text of the first match, \
            or nothing. Rows are written as pages finish. A URL without a scheme uses https.
            """,
            """
            With --store the crawl can be interrupted or killed at any time. The same command continues it: finished \
            pages aren't loaded again, and --to FILE gets each row once. stdout gets all rows, also those of earlier \
            processes. --at-most, --delay, --jobs and other options of requests may change; what chooses pages or \
            columns may not.
            """,
            """
            A page that fails is reported, and the exit code is 1 after all other pages. Missing pages (status 400 to \
            499), redirects, noindex and files other than HTML have no row and are no failures. The first Ctrl-C waits \
            for the loads in flight, the second ends at once.
            """,
        ],
        groups: [
            Group(
                title: "Pages",
                rows: [
                    Option.atMost.row, Option.depth.row, Option.hosts.row, Option.includedPaths.row,
                    Option.excludedPaths.row, Option.usesSitemaps.row, Option.ignoresRobots.row,
                ]),
            Group(title: "Output", rows: [Option.columns.row, Option.rowsTo.row, Option.rowFormat.row]),
            Group(
                title: "Requests",
                rows: [
                    Option.agent.row, Option.crawlDelay.row, Option.header.row, Option.pageSize.row,
                    Option.cache.row, Option.caCert.row, Option.tls.row,
                ]),
            Group(
                title: "Running",
                rows: [
                    Option.jobs.row, Option.retries.row, Option.retryWait.row, Option.timeout.row,
                    Option.idleTimeout.row,
                ]),
            Group(
                title: "Stored crawls",
                rows: [Option.store.row, Option.crawlKey.row, Option.retryingFailures.row]),
            .display,
        ],
        examples: [
            Example(
                command: "stepline crawl example.com --at-most 100 --select 'title, h1'",
                purpose: "the titles of up to 100 pages, as JSON Lines"),
            Example(
                command: "stepline crawl example.com --store crawl.runs --to pages.csv",
                purpose: "a crawl that the same command continues after a kill"),
            Example(
                command:
                    "stepline crawl example.com --include '/docs/' --select 'h1, about=//meta[@name=\"description\"]/@content'",
                purpose: "headings and descriptions below /docs/"),
        ]
    ) { arguments, session in
        try await CrawlCommand(arguments, session).run()
    }
}
