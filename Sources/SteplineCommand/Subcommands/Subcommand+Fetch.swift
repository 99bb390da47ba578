extension Subcommand {
    /// `stepline fetch URL…`.
    static let fetch = Subcommand(
        name: "fetch", summary: "load URLs; parse, select from and save the bodies",
        operands: Operands(placeholder: "URL…", count: 0...(.max)),
        discussion: [
            "Without --select, --format or a kind, bodies are written unchanged. Otherwise they are parsed as the kind "
                + "given or detected, and written as text, JSON or JSON Lines, in the order of the URLs. "
                + "Files appear complete or not at all.",
            "A URL without a scheme uses https. After a failure the other URLs are still fetched, unless "
                + "--fail-fast is on; the exit code is 1.",
        ],
        groups: [
            Group(
                title: "Content",
                rows: [
                    Option.json.row, Option.xml.row, Option.html.row, Option.feed.row, Option.raw.row,
                    Option.select.row, Option.maxSize.row,
                ]),
            Group(title: "Output", rows: [Option.format.row, Option.out.row, Option.resume.row]),
            Group(
                title: "Requests",
                rows: [
                    Option.input.row, Option.header.row, Option.method.row, Option.data.row,
                    Option.follow.row,
                ]),
            Group(
                title: "Connections",
                rows: [
                    Option.rate.row, Option.cache.row, Option.cookies.row, Option.caCert.row, Option.cert.row,
                    Option.certKey.row,
                    Option.tls.row,
                ]),
            Group(
                title: "Running",
                rows: [
                    Option.jobs.row, Option.retries.row, Option.retryWait.row, Option.timeout.row,
                    Option.idleTimeout.row, Option.failFast.row,
                ]),
            .display,
        ],
        examples: [
            Example(
                command: "stepline fetch api.example.com/city.json --select '$.forecast[*].max'",
                purpose: "numbers from JSON, one a line"),
            Example(
                command: "stepline fetch --feed --format jsonl --input feeds.txt > items.jsonl",
                purpose: "the items of many feeds, one a line"),
            Example(
                command: "stepline fetch --jobs 4 --resume --out files/ --input urls.txt",
                purpose: "many files, four at a time, resuming where the last run stopped"),
        ]
    ) { arguments, session in
        try await Fetch(arguments, session).run()
    }
}
