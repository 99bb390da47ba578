import Foundation
import SteplineRuns

extension Subcommand {
    /// `stepline new NAME` and `stepline new --flow NAME`.
    static let new = Subcommand(
        name: "new", summary: "create a package, or a workflow file",
        operands: Operands(placeholder: "NAME", count: 1...1, completion: .nothing),
        discussion: [
            """
            The package has a pipeline, a workflow and a test. The folder NAME must not exist. `make run` and `make test` \
            in it build and run the new package.
            """,
            "With --flow, the file NAME (or NAME.yaml) must not exist. The new workflow file runs as it is.",
        ],
        groups: [
            Group(title: "Workflow file", rows: [Option.newFlow.row]),
            Group(title: "Library", rows: [Option.library.row, Option.libraryVersion.row]),
        ],
        examples: [
            Example(command: "stepline new Words --library ../stepline", purpose: "use a local library"),
            Example(
                command: "stepline new Words --library https://git.example.com/stepline --from-version 1.0.0",
                purpose: "use a repository"),
            Example(command: "stepline new --flow words", purpose: "begin a workflow file in YAML"),
        ]
    ) { arguments, session in
        if arguments.isOn(.newFlow) { return try makeFlow(arguments, session) }
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

    private static func makeFlow(_ arguments: Arguments, _ session: Session) throws -> ExitCode {
        guard arguments[.library] == nil, arguments[.libraryVersion] == nil else {
            throw UsageError("--flow: a workflow file has no --library")
        }
        let flow = try NewFlow(named: arguments.operands[0])
        let place = session.place(flow.name)
        // A link that leads nowhere exists, too.
        if (try? FileManager.default.attributesOfItem(atPath: place.path(percentEncoded: false))) != nil {
            throw UsageError("\(flow.name) already exists")
        }
        try flow.write(to: place)
        let name = RunsText.quoted(flow.name)
        try session.output.write("made \(flow.name); continue with: stepline run \(name)\n")
        return .success
    }
}

extension Option<Bool> {
    fileprivate static let newFlow = Option(
        flag: "flow", "write a workflow file in YAML instead of a package")
}

extension Option<String> {
    fileprivate static let library = Option(
        text: "library", value: "FOLDER|URL", completion: .file, "the library: a folder or a URL")
    fileprivate static let libraryVersion = Option(
        text: "from-version", value: "VERSION", "the minimum version, for a repository")
}
