import SteplineJSON

extension FlowKeys {
    static let files = step([
        FlowKey(
            "files", .paths,
            """
            Takes the sorted list of the files that a pattern finds: * and ? for characters of a \
            name, [a-z], {a,b}, ** for any folders.
            """,
            isRequired: true, example: "in/**/*.csv"),
        FlowKey(
            "links", .boolean,
            """
            Whether links to folders are gone through as well; out of the folder they lead only \
            where --allow-path says so.
            """,
            default: false, example: true),
    ])

    static let append = step([
        FlowKey(
            "append", .text,
            "Appends the value to a file, as whole lines, and passes the value on.",
            isRequired: true, example: "log/runs.jsonl"),
        FlowKey(
            "format", .choice(["jsonl", "csv", "tsv", "text"]),
            "The format; without it the extension of the file decides.", example: "csv"),
    ])

    static let copy = step(
        [
            FlowKey(
                "copy", .paths, "Copies a file, or each of a list, and passes the value on.",
                isRequired: true, example: "in/today.csv")
        ], with: relocation)

    static let move = step(
        [
            FlowKey(
                "move", .paths,
                "Moves a file, a folder or a link, or each of a list, and passes the value on.",
                isRequired: true, example: "${it}")
        ], with: relocation)

    static let delete = step([
        FlowKey(
            "delete", .paths, "Deletes a file or a link, or each of a list, and passes the value on.",
            isRequired: true, example: "tmp/part.csv"),
        FlowKey(
            "folders", .boolean,
            "Whether folders are deleted, with all in them; links in them are not followed.",
            default: false, example: true),
        FlowKey(
            "ifThere", .boolean, "Whether a missing file is no failure.",
            default: false, example: true),
    ])

    static let folder = step([
        FlowKey(
            "folder", .text,
            "Makes a folder, with all above it, unless it is there, and passes the value on.",
            isRequired: true, example: "out/${city}")
    ])

    /// The keys of `copy` and `move`.
    private static let relocation = [
        FlowKey(
            "to", .text, "The new path; one that ends in / is a folder, in which the file keeps its name.",
            isRequired: true, example: "done/"),
        FlowKey(
            "replace", .boolean,
            "Whether an existing file is replaced; otherwise it is a failure.",
            default: false, example: true),
        FlowKey(
            "ifThere", .boolean, "Whether a missing file is no failure.",
            default: false, example: true),
    ]
}
