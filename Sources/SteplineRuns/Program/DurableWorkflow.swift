public import SteplineWorkflow

/// A program whose main function is one durable workflow, with verbs to run, resume and inspect runs.
///
///     @main struct Mirror: DurableWorkflow {
///         struct Input: Codable, Sendable { var site: URL }
///         static func build(_ workflow: Workflow, _ input: Input) throws { … }
///     }
///
///     mirror run --store mirror.runs --key 2026-11-22 --input '{"site": "https://example.com"}'
///     mirror runs list --store mirror.runs
///
/// The input is stored with the run as unencrypted JSON. Of a ``Secret``, only the name of its environment variable is
/// stored.
public protocol DurableWorkflow {
    /// The input of a run.
    associatedtype Input: Codable & Sendable = NoInput

    /// The name of the workflow, part of each run's identity; by default the type's name in lower case with dashes.
    static var name: String { get }

    /// The options of the workflow.
    static var options: WorkflowOptions { get }

    /// The kinds of stores that `--store` accepts; by default files only.
    ///
    /// Use `[.postgreSQL, .file]` with the product `SteplinePostgreSQL` for a server.
    static var stores: [RunStoreKind] { get }

    /// Adds the tasks; must add the same tasks for the same input in every process.
    ///
    /// - Throws: An error that keeps the run from starting, such as that of an `add`.
    static func build(_ workflow: Workflow, _ input: Input) throws
}

extension DurableWorkflow {
    /// The type's name in lower case with dashes: `MirrorSite` becomes `mirror-site`.
    public static var name: String { ProgramName.dashed("\(Self.self)") }

    /// The default options.
    public static var options: WorkflowOptions { WorkflowOptions() }

    /// Files only.
    public static var stores: [RunStoreKind] { [.file] }

    /// Executes the verb in the process's arguments and ends the process; `--help` lists the verbs.
    public static func main() async {
        let program = DurableProgram(Self.self, called: CommandLine.arguments.first ?? name, .ofProcess())
        exitProcess(await program.run(Array(CommandLine.arguments.dropFirst())))
    }
}
