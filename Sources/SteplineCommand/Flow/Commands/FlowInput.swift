import Foundation
import SteplineJSON
import SteplinePipeline
import SteplineSteps
import SteplineSupport
import SteplineWorkflow

/// A workflow file given to a subcommand: read, checked, and with its parameters set.
struct FlowInput {
    let source: FlowSource
    private(set) var issues = FlowIssues()
    /// The files that the file runs, directly or indirectly.
    private var library: FlowLibrary
    /// The executable plan; nil if the file has errors.
    private(set) var plan: FlowPlan?
    private let file: FlowFile?

    /// Reads the file named by the first operand; throws if it is unreadable or a parameter is invalid.
    ///
    /// - Parameters:
    ///   - arguments: The command line.
    ///   - session: The session.
    ///   - set: Parameters as `NAME=VALUE` that replace those of the command line.
    ///   - workplace: A folder in which the tasks run instead of the file's own, without network settings.
    init(
        _ arguments: Arguments, _ session: Session, set: [String]? = nil, workplace: FlowFolder? = nil
    ) throws {
        let name = arguments.operands.first ?? ""
        let directory = session.folder.path(percentEncoded: false)
        source = try Self.read(name, session)
        var folder = FlowFolder(ofFile: name, allowing: arguments.all(.allowPath), in: directory)
        var issues = FlowIssues()
        library = FlowLibrary { try Self.read($0, named: $1) }
        let file = FlowReader.read(source, &issues)
        self.file = file
        defer { self.issues = issues }
        guard let file else { return }
        let isOffline = arguments.isOn(.offline)
        let inclusions = library.load(for: file, source, folder, &issues)
        let storePath = arguments[.store] ?? session.environment["STEPLINE_STORE"]
        let store = session.storeFiles(storePath).compactMap {
            PathResolver.resolve($0.url.path(percentEncoded: false), in: directory)
        }
        library.protectFiles(and: [folder.file].compactMap { $0 } + store)
        folder.protect(Array(library.entries.keys) + store)
        let orders = library.check(isOffline: isOffline)
        library.checkArguments(of: file, inclusions, &issues)
        let order = FlowChecker.check(file, folder: workplace ?? folder, isOffline: isOffline, &issues)
        let ownForeign = ForeignValues(order, parameters: [])
        ownForeign.check(order, &issues)
        let foreign = library.findForeignValues(of: ownForeign, inclusions, orders)
        let parameters = try FlowParameters.values(of: file.parameters, given: set ?? arguments.all(.set))
        guard !issues.hasErrors, !library.hasErrors else { return }
        func plan(
            _ file: FlowFile, _ order: [FlowTask], _ source: FlowSource, _ folder: FlowFolder
        ) throws -> FlowPlan {
            var setting = FlowSetting(source: source, folder: folder)
            setting.namespaces = file.namespaces
            setting.isOffline = isOffline
            if let path = session.environment["PATH"] { setting.searchPath = path }
            setting.environment = ProgramEnvironment.inherited(
                session.environment, allowing: arguments.all(.allowEnv))
            setting.programs = session.programs
            setting.clock = session.clock
            if let network = file.network, workplace == nil {
                setting.connections = try Connections(network, folder, environment: session.environment)
            }
            return FlowPlan(file, order: order, setting: setting)
        }
        var own = try plan(file, order, source, workplace ?? folder)
        own.setting.parameters = parameters
        own.setting.foreignFormulas = ownForeign.formulas
        own.inclusions = inclusions
        for (path, entry) in library.entries {
            guard let file = entry.file else { continue }
            let place = workplace.map { $0.inner(at: folder.inside(path) ?? "flow") } ?? entry.folder
            var inner = try plan(file, orders[path] ?? [], entry.source, place)
            inner.setting.foreignFormulas = foreign[path]?.formulas ?? []
            inner.inclusions = entry.inclusions
            library.add(to: path) { Self.checkWorkflow(of: inner, &$0) }
            own.library[path] = inner
        }
        Self.checkWorkflow(of: own, &issues)
        if !issues.hasErrors, !library.hasErrors { self.plan = own }
    }

    /// The issues of all files, the main file first.
    private var found: [(issues: FlowIssues, source: FlowSource)] {
        [(issues, source)]
            + library.entries.sorted { $0.key < $1.key }.map { ($0.value.issues, $0.value.source) }
    }

    /// Whether no file has issues.
    var isClean: Bool { found.allSatisfy(\.issues.all.isEmpty) }

    /// Returns the required parameters without a value.
    func missingParameters() -> [String] {
        guard let file, let plan else { return [] }
        return file.parameters.filter { $0.isRequired && plan.setting.parameters[$0.name] == nil }.map(\.name)
    }

    /// The issues of all files, one per line.
    var lines: [String] {
        found.flatMap { issues, source in issues.sorted.map { Session.oneLine($0.line(in: source)) } }
    }

    /// Returns the issues; on a terminal each with its source line and a caret.
    func lines(for output: OutputHandle, _ session: Session) -> [String] {
        guard let canvas = LiveScreen.canvas(of: output, session.environment, wantsColors: nil) else {
            return lines
        }
        return found.flatMap { issues, source in
            issues.sorted.flatMap { issue in
                let excerpt = FlowExcerpt(
                    of: issue, in: source, columns: canvas.columns, isUnicode: canvas.isUnicode)
                return [Session.oneLine(issue.line(in: source))] + excerpt.lines
            }
        }
    }

    /// Writes the issues to standard error.
    func complain(in session: Session) throws {
        for line in lines(for: session.errors, session) { try session.errors.write(line + "\n") }
    }

    private static func read(_ name: String, _ session: Session) throws -> FlowSource {
        if name == standardInput {
            let bytes = try readInput(session.input)
            return FlowSource(name: "stdin", bytes: bytes, format: .init(ofText: bytes))
        }
        return try read(session.place(name), named: name)
    }

    private static func read(_ url: URL, named name: String) throws -> FlowSource {
        let step = FileLoadStep(url, limit: mostBytes)
        step.start()
        if let error = step.error { throw error }
        return FlowSource(name: name, bytes: Array(step.content.bodyData ?? Data()))
    }

    /// The operand for standard input; the file's folder is then the current folder.
    static let standardInput = "-"
    private static let mostBytes = 4 << 20

    private static func readInput(_ input: FileHandle) throws -> [UInt8] {
        var bytes = Data()
        while let more = try input.read(upToCount: 1 << 16), !more.isEmpty {
            bytes += more
            guard bytes.count <= mostBytes else {
                throw FlowError("stdin: the workflow file has more than \(mostBytes) bytes")
            }
        }
        return Array(bytes)
    }

    /// Adds the issues of the workflow engine's own checks, at the place of the task.
    private static func checkWorkflow(of plan: FlowPlan, _ issues: inout FlowIssues) {
        func offset(_ name: String) -> Int { plan.file.task(name)?.offset ?? 0 }
        do {
            for issue in try plan.workflow().check() {
                let severity: FlowIssue.Severity = issue.severity == .error ? .error : .warning
                issues.add(FlowIssue(.workflow, severity, at: offset(issue.subject), "\(issue)"))
            }
        } catch let error as WorkflowError {
            issues.add(.workflow, at: offset(error.subject), "\(error)")
        } catch {
            issues.add(.workflow, at: 0, "\(error)")
        }
    }
}
