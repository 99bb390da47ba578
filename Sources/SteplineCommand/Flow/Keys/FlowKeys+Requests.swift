import SteplineJSON

extension FlowKeys {
    static let load = step(
        [
            FlowKey(
                "load", .text,
                """
                Loads the bytes of a URL, or of a file in the workflow's folder. Values of ${…} are \
                percent-encoded, except at the very beginning.
                """,
                isRequired: true, example: "https://api.example/v1/search?name=${city}"),
            FlowKey(
                "limit", .size, "The maximum size of the body (256MiB).", default: "256MiB", example: "10MB"),
            FlowKey(
                "answer", .boolean,
                """
                Returns the whole response, { status, url, headers, body }, for any \
                status. Header names are in lower case.
                """,
                default: false, example: true),
        ], with: request)

    static let pages = step(
        [
            FlowKey(
                "pages", .text,
                """
                Loads a list page by page over http or https and returns all records. Values of ${…} \
                are percent-encoded, except at the very beginning.
                """,
                isRequired: true, example: "https://api.example/issues"),
            FlowKey(
                "next", .either([.matching(#"^(link$|\$)"#), .object(.next)]),
                """
                The source of the next page: link (the default) for the Link header, a JSONPath to its \
                URL, or a URL parameter.
                """,
                default: "link", example: "$.links.next", ["parameter": "cursor", "at": "$.meta.cursor"]),
            FlowKey(
                "records", .path,
                "A JSONPath to a page's records, such as $.items[*]; by default the page itself.",
                formerly: "at", example: "$.items[*]"),
            FlowKey(
                "most", .integer(1...1_000_000), "The maximum number of pages (1000); more pages fail.",
                default: 1000, example: 50),
            FlowKey(
                "limit", .size, "The maximum size of all pages (256MiB).",
                default: "256MiB", example: "10MB"),
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
            "body", .any, "The request body: a string unchanged, other values as JSON.",
            example: ["city": "${city}"]),
    ]

    /// The keys of a parameter that asks for the next page.
    static let next = FlowKeys([
        FlowKey("parameter", .text, "The name of the parameter.", isRequired: true, example: "cursor"),
        FlowKey(
            "at", .path,
            """
            A JSONPath to the parameter's next value. The last page has null, false, an empty text or \
            no match. Without at, pages are numbered.
            """,
            example: "$.meta.cursor"),
        FlowKey(
            "from", .integer(0...1_000_000_000), "The first page's number, without at.",
            default: 1, example: 0),
        FlowKey(
            "step", .integer(1...1_000_000),
            "The increment of the number per page; more than 1 for an offset.",
            default: 1, example: 100),
        FlowKey(
            "more", .path,
            """
            A JSONPath to true if another page follows, else false. Without more, numbered pages \
            end at a page without records.
            """,
            example: "$.has_more"),
    ])
}
