import SteplineJSON

/// Decides which formulas of a workflow file may hold a text that a server, a program or a loaded file gave.
///
/// Values that the workflow file writes, parameters of the command line, secrets, and paths that `files` finds are the
/// user's own. Results of `load`, `pages`, `run` and of other files are foreign, and so is all that is made of them.
/// A foreign value must not choose a path: it would choose which file is read, posted or overwritten.
/// The analysis is done once for each file, before the run. Its cost is linear in the size of the file.
struct ForeignValues: Sendable {
    /// The offsets of the roots of foreign formulas.
    private(set) var formulas: Set<Int> = []
    /// The parameters with foreign values that tasks give to the files that they run, by the tasks' names.
    private(set) var arguments: [String: Set<String>] = [:]
    /// The tasks whose results are foreign.
    private var tasks: Set<String> = []
    private let parameters: Set<String>

    /// Analyses the tasks of a file in topological order.
    ///
    /// - Parameters:
    ///   - ordered: The tasks.
    ///   - parameters: The parameters that receive foreign values from files that run this file.
    init(_ ordered: [FlowTask], parameters: Set<String>) {
        self.parameters = parameters
        for task in ordered { add(task) }
    }

    private mutating func add(_ task: FlowTask) {
        let isListForeign = task.map.map { isForeign($0.list, it: false, item: false) } ?? false
        let isItemForeign = isListForeign || growsByForeign(task)
        for argument in task.flow?.parameters ?? []
        where isForeign(argument.value, it: false, item: isItemForeign) {
            arguments[task.name, default: []].insert(argument.name)
        }
        var it = task.map == nil ? task.firstValue.map { tasks.contains($0.name) } ?? false : isItemForeign
        for step in task.steps {
            for formula in step.placeFormulas
            where isForeign(formula.root, it: it, item: isItemForeign) {
                formulas.insert(formula.root.offset)
            }
            it = isResultForeign(of: step, it: it, item: isItemForeign)
        }
        if it || task.flow != nil { tasks.insert(task.name) }
    }

    /// Whether a step `grow` finds foreign elements, although those of the list aren't.
    private func growsByForeign(_ task: FlowTask) -> Bool {
        guard task.grows else { return false }
        var it = false
        for step in task.steps {
            if case .grow(_, let form) = step.verb {
                if form.map({ isForeign($0.root, it: it, item: false) }) ?? it { return true }
            }
            it = isResultForeign(of: step, it: it, item: false)
        }
        return false
    }

    private func isResultForeign(of step: FlowStep, it: Bool, item: Bool) -> Bool {
        switch step.verb {
        case .load, .pages, .run, .broken: true
        case .files: false
        case .use(let task): tasks.contains(task.name)
        case .value(let literal): isForeign(literal, it: it, item: item)
        case .first(_, let standard): it || standard.map { isForeign($0, it: it, item: item) } ?? false
        case .transform(let formula), .each(let formula): isForeign(formula.root, it: it, item: item)
        case .parse, .select, .columns, .filter, .mask, .grow, .save, .append, .file: it
        }
    }

    private func isForeign(_ literal: FlowLiteral, it: Bool, item: Bool) -> Bool {
        switch literal {
        case .plain: false
        case .text(let template): template.formulas.contains { isForeign($0.root, it: it, item: item) }
        case .list(let parts): parts.contains { isForeign($0, it: it, item: item) }
        case .object(let members): members.contains { isForeign($0.value, it: it, item: item) }
        }
    }

    /// Whether a part of a formula may be, or hold, a foreign text; conditions and indices only choose among parts.
    private func isForeign(_ node: FlowExpression.Node, it: Bool, item: Bool) -> Bool {
        func any(_ nodes: [FlowExpression.Node]) -> Bool {
            nodes.contains { isForeign($0, it: it, item: item) }
        }
        switch node.kind {
        case .literal, .not, .negative: return false
        case .name(let name):
            switch name {
            case .parameter(let name): return parameters.contains(name)
            case .task(let name): return tasks.contains(name)
            case .it: return it
            case .item: return item
            case .run: return true
            case .secret, .index: return false
            }
        case .member(let value, _), .element(let value, _): return any([value])
        case .binary(let operation, let left, let right):
            let makesText = operation == .add || operation == .otherwise
            return makesText && any([left, right])
        case .choice(_, let yes, let no): return any([yes, no])
        case .call(let function, let nodes):
            return function.gives != .number && function.gives != .bool && any(nodes)
        case .list(let nodes): return any(nodes)
        case .object(let members): return any(members.map(\.value))
        }
    }

    /// Adds an error for each path, and a warning for each argument, that begins with a foreign value.
    func check(_ tasks: [FlowTask], _ issues: inout FlowIssues) {
        for case .run(let program) in tasks.flatMap(\.steps).map(\.verb) where !program.letsOptions {
            for argument in program.arguments.prefix(while: { $0.literal != "--" }) {
                guard case .formula(let formula)? = argument.parts.first,
                    formulas.contains(formula.root.offset)
                else { continue }
                issues.warn(
                    .program, at: formula.root.offset,
                    "\(program.program) may take the value for an option, where it begins with -",
                    hint: FlowProgram.optionHint)
            }
        }
        for place in tasks.flatMap(\.steps).flatMap(\.paths) {
            guard case .formula(let formula)? = place.parts.first, formulas.contains(formula.root.offset)
            else { continue }
            issues.add(
                .outside, at: formula.root.offset, "a path can't begin with a load's or a program's output",
                hint: "write its folder before it: \"out/${\(formula.text)}\", or \"./\" for the flow's own")
        }
    }
}

extension FlowStep {
    /// The paths and patterns in the step, except those that it loads.
    fileprivate var paths: [FlowTemplate] {
        switch verb {
        case .save(let save): [save.place]
        case .append(let append): [append.place]
        case .files(let finding): finding.patterns
        case .file(let work): work.places + (work.target.map { [$0] } ?? [])
        case .run(let program): program.folder.map { [$0] } ?? []
        default: []
        }
    }

    /// The formulas in the step's paths, addresses and arguments.
    fileprivate var placeFormulas: [FlowExpression] {
        switch verb {
        case .load(let load): load.place.formulas
        case .pages(let pages): pages.load.place.formulas
        case .run(let program): (program.arguments + paths).flatMap(\.formulas)
        default: paths.flatMap(\.formulas)
        }
    }
}
