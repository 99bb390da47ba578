import SteplineJSON

extension FlowKeys {
    static let files = step([
        FlowKey(
            "files", .paths,
            """
            Returns the sorted list of files that match a pattern: * and ? for characters of a \
            name, [a-z], {a,b}, ** for any folders.
            """,
            isRequired: true, example: "in/**/*.csv"),
        FlowKey(
            "links", .boolean,
            """
            Follows links to folders; links that leave the workflow's folder also \
            need --allow-path.
            """,
            default: false, example: true),
    ])

    static let append = step([
        FlowKey(
            "append", .text,
            "Appends the value to a file as whole lines. Returns its input.",
            isRequired: true, example: "log/runs.jsonl"),
        FlowKey(
            "format", .choice(["jsonl", "csv", "tsv", "text"]),
            "The format (by the file's extension).", example: "csv"),
    ])

    static let copy = step(
        [
            FlowKey(
                "copy", .paths, "Copies a file or a list of files. Returns its input.",
                isRequired: true, example: "in/today.csv")
        ], with: relocation)

    static let move = step(
        [
            FlowKey(
                "move", .paths,
                "Moves a file, a folder or a link, or a list of them. Returns its input.",
                isRequired: true, example: "${it}")
        ], with: relocation)

    static let delete = step([
        FlowKey(
            "delete", .paths, "Deletes a file or a link, or a list of them. Returns its input.",
            isRequired: true, example: "tmp/part.csv"),
        FlowKey(
            "folders", .boolean,
            "Also deletes folders with their contents, without following links.",
            default: false, example: true),
        required,
    ])

    static let folder = step([
        FlowKey(
            "folder", .text,
            "Creates a folder and its parents if missing. Returns its input.",
            isRequired: true, example: "out/${city}")
    ])

    /// Whether a missing file fails the step.
    private static let required = FlowKey(
        "required", .boolean, "Fails if a file is missing.", default: true, formerly: "ifThere",
        now: "required: false", example: false)

    /// The keys of `copy` and `move`.
    private static let relocation = [
        FlowKey(
            "to", .text, "The new path. After a final / the file keeps its name in that folder.",
            isRequired: true, example: "done/"),
        FlowKey(
            "replace", .boolean,
            "Replaces an existing file instead of failing.",
            default: false, example: true),
        required,
    ]
}
