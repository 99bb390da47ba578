public import SteplineWorkflow

/// A program that is one workflow, whose runs are kept in a store and go on where they stopped.
///
///     @main struct Mirror: DurableWorkflow {
///         struct Input: Codable, Sendable { var site: URL }
///         static func build(_ workflow: Workflow, _ input: Input) throws { … }
///     }
///
///     mirror run --store mirror.runs --key 2026-11-22 --input '{"site": "https://example.com"}'
///     mirror runs list --store mirror.runs
///
/// What a run is started with is kept with it as JSON, as it is; of a ``Secret`` only the name of the environment
/// variable that it is in.
public protocol DurableWorkflow {
    /// What a run is started with.
    associatedtype Input: Codable & Sendable = NoInput

    /// The workflow's name, by which its runs are kept; the type's name in lower case with dashes.
    static var name: String { get }

    /// How the workflow runs its tasks.
    static var options: WorkflowOptions { get }

    /// Where its runs can be kept, by what stands behind `--store`; files, if nothing else is said.
    ///
    /// With `[.postgreSQL, .file]` and the product `SteplinePostgreSQL` also on a server.
    static var stores: [RunStoreKind] { get }

    /// Adds the tasks; the same ones whenever a run with that input is made or goes on.
    static func build(_ workflow: Workflow, _ input: Input) throws
}

extension DurableWorkflow {
    /// The type's name in lower case with dashes: `MirrorSite` is `mirror-site`.
    public static var name: String { ProgramName.dashed("\(Self.self)") }

    /// The standard options.
    public static var options: WorkflowOptions { WorkflowOptions() }

    /// Files.
    public static var stores: [RunStoreKind] { [.file] }

    /// Does what the process's arguments say, and ends the process; `--help` tells what there is.
    public static func main() async {
        let program = DurableProgram(Self.self, called: CommandLine.arguments.first ?? name, .ofProcess())
        exitProcess(await program.run(Array(CommandLine.arguments.dropFirst())))
    }
}
