import Foundation

extension Subcommand {
    /// `stepline new NAME`.
    static let new = Subcommand(
        name: "new", summary: "create a package with a pipeline, a workflow and a test",
        operands: Operands(placeholder: "NAME", count: 1...1, completion: .nothing),
        discussion: [
            "The folder NAME must not exist. `make run` and `make test` in it build and run the new package."
        ],
        groups: [
            Group(title: "Library", rows: [Option.library.row, Option.libraryVersion.row])
        ],
        examples: [
            Example(command: "stepline new Words --library ../stepline", purpose: "use a local library"),
            Example(
                command: "stepline new Words --library https://git.example.com/stepline --from-version 1.0.0",
                purpose: "use a repository"),
        ]
    ) { arguments, session in
        guard let place = arguments[.library] else { throw UsageError("--library is missing") }
        let library = try LibraryPlace(place, version: arguments[.libraryVersion], in: session)
        let name = arguments.operands[0]
        let package = try NewPackage(named: name, on: library)
        let folder = session.place(name)
        if FileManager.default.fileExists(atPath: folder.path) {
            throw UsageError("\(name) already exists")
        }
        try package.write(to: folder)
        try session.output.write("made \(name); continue with: cd \(name) && make run\n")
        return .success
    }
}

extension Option<String> {
    fileprivate static let library = Option(
        text: "library", value: "FOLDER|URL", completion: .file, "the library: a folder or a URL")
    fileprivate static let libraryVersion = Option(
        text: "from-version", value: "VERSION", "the minimum version, for a repository")
}
