import SteplineJSON

extension FlowKeys {
    static let load = step(
        [
            FlowKey(
                "load", .text,
                """
                Loads a URL, or a file of the workflow's folder; the value is its bytes. What ${…} \
                fills in is encoded, except at the very beginning.
                """,
                isRequired: true, example: "https://api.example/v1/search?name=${city}"),
            FlowKey(
                "limit", .size, "The maximum size of the body (256MB).", default: "256MB", example: "10MB"),
            FlowKey(
                "answer", .boolean,
                """
                Whether the value is the whole answer, { status, url, headers, body }, whatever the \
                status; names of headers are in small letters.
                """,
                default: false, example: true),
        ], with: request)

    static let pages = step(
        [
            FlowKey(
                "pages", .text,
                """
                Loads a list page by page, over http or https; the value is the list of all records. \
                What ${…} fills in is encoded, except at the very beginning.
                """,
                isRequired: true, example: "https://api.example/issues"),
            FlowKey(
                "next", .either([.matching(#"^(link$|\$)"#), .object(.next)]),
                """
                Where the next page is: link (the default) for the header Link, a JSONPath to its URL, \
                or the parameter of the address that asks for it.
                """,
                default: "link", example: "$.links.next", ["parameter": "cursor", "at": "$.meta.cursor"]),
            FlowKey(
                "at", .path,
                "A JSONPath to the records of a page, as $.items[*]; without it a page is a list itself.",
                example: "$.items[*]"),
            FlowKey(
                "most", .integer(1...1_000_000), "The maximum number of pages (1000); one more is an error.",
                default: 1000, example: 50),
            FlowKey(
                "limit", .size, "The maximum size of all pages (256MB).",
                default: "256MB", example: "10MB"),
        ], with: request)

    /// The keys of `load` and `pages`.
    private static let request = [
        FlowKey(
            "method", .token, "The HTTP method (GET, or POST with a body).",
            default: "GET", example: "PUT"),
        FlowKey(
            "headers", .members(of: .string, matching: FlowType.tokenPattern),
            "HTTP headers.", example: ["Accept": "application/json"]),
        FlowKey(
            "body", .any, "The request body: a string as it is, any other value as JSON.",
            example: ["city": "${city}"]),
    ]

    /// The keys of a parameter that asks for the next page.
    static let next = FlowKeys([
        FlowKey("parameter", .text, "The name of the parameter.", isRequired: true, example: "cursor"),
        FlowKey(
            "at", .path,
            """
            A JSONPath to its value for the next page; the last page has none, null, false or an empty \
            text there. Without it pages are counted.
            """,
            example: "$.meta.cursor"),
        FlowKey(
            "from", .integer(0...1_000_000_000), "The first page's number, where they are counted.",
            default: 1, example: 0),
        FlowKey(
            "step", .integer(1...1_000_000),
            "How much the number grows with each page: more than 1 for an offset.",
            default: 1, example: 100),
        FlowKey(
            "more", .path,
            """
            A JSONPath to true or false: whether another page follows. Without it a page without \
            records is the last of those that are counted.
            """,
            example: "$.has_more"),
    ])
}
