import SteplineJSON
import SteplineSupport

extension FlowPlan {
    /// Returns the digests of a task's behaviour; `files` has those of included files that are known already.
    func meaning(of task: FlowTask, _ files: inout [String: UInt64]) -> FlowTaskMeaning {
        FlowTaskMeaning(
            steps: task.meaning, parameters: parameters(of: task.allReferences),
            files: inclusions[task.name].map { meaning(ofFile: $0, &files) } ?? 0,
            settings: settings(of: task))
    }

    /// Returns a digest of an included file: its tasks with their prerequisites, and its result.
    private func meaning(ofFile path: String, _ files: inout [String: UInt64]) -> UInt64 {
        if let known = files[path] { return known }
        guard var inner = library[path] else { return 0 }
        inner.library = library
        var meaning = FlowMeaning()
        for task in inner.file.tasks.sorted(by: { $0.name < $1.name }) {
            meaning.add(task.name)
            meaning.add(UInt64(task.after.count))
            for reference in task.after { meaning.add(reference.name) }
            meaning.add(inner.meaning(of: task, &files).value)
            meaning.add(limitsOf: task)
        }
        meaning.add(inner.file.resultMeaning)
        meaning.add(inner.parameters(of: inner.file.result?.references ?? []))
        files[path] = meaning.value
        return meaning.value
    }

    /// Returns a digest of the values of named parameters; those of an included file have their defaults.
    private func parameters(of references: [FlowExpression.Reference]) -> UInt64 {
        let names = Set(
            references.compactMap { if case .parameter(let name) = $0.name { name } else { nil } })
        var meaning = FlowMeaning()
        for name in names.sorted() {
            meaning.add(name)
            let value = setting.parameters[name] ?? file.parameter(name)?.standard
            meaning.add(value.map { "\($0)" } ?? "")
        }
        return meaning.value
    }

    /// Returns a digest of the file's settings that a task uses: secrets, namespaces, and the identity of its loads.
    private func settings(of task: FlowTask) -> UInt64 {
        var meaning = FlowMeaning()
        let names = Set(
            task.allReferences.compactMap { if case .secret(let name) = $0.name { name } else { nil } })
        for name in names.sorted() {
            meaning.add(name)
            for word in file.secret(name)?.source.words ?? [] { meaning.add(word) }
        }
        let queries = task.steps.flatMap(\.queries).map(\.text)
        for (prefix, name) in file.namespaces.sorted(by: { $0.key < $1.key })
        where queries.contains(where: { $0.holds(prefix + ":") }) {
            meaning.add(prefix)
            meaning.add(name)
        }
        if task.steps.contains(where: \.isProgram) {
            for (name, value) in file.environment {
                meaning.add(name)
                meaning.add(value.text)
            }
        }
        // A map that is one step isn't continued after a change of its limits.
        if !storesElements(of: task) { meaning.add(limitsOf: task) }
        // Limits, caches and TLS decide how an answer comes; cookies and the certificate decide which.
        guard task.steps.contains(where: \.isLoad), let network = file.network else { return meaning.value }
        switch network.cookies {
        case .file(let path): meaning.add(path.path)
        case .ofRun, nil: meaning.add("")
        }
        meaning.add(network.certificate?.path ?? "")
        return meaning.value
    }
}

extension FlowMeaning {
    /// Adds the limits of a growing map.
    fileprivate mutating func add(limitsOf task: FlowTask) {
        guard task.grows, let map = task.map else { return }
        add(UInt64(map.mostElements))
        add(map.depth.map { "\($0)" } ?? "")
    }
}

extension FlowTask {
    /// All names in the task's formulas, also those of declared files.
    fileprivate var allReferences: [FlowExpression.Reference] {
        references + (reads + writes).flatMap(\.references)
    }
}

extension FlowStep {
    /// Whether the step asks a server, or may.
    fileprivate var isLoad: Bool {
        switch verb {
        case .load, .pages: true
        default: false
        }
    }

    /// The paths into documents.
    fileprivate var queries: [FlowQuery] {
        switch verb {
        case .select(let query), .first(let query, _), .grow(let query, _): return [query]
        case .columns(let table): return table.columns.map(\.query) + (table.rows.map { [$0] } ?? [])
        case .pages(let pages):
            guard case .found(let next) = pages.next else { return pages.records.map { [$0] } ?? [] }
            return [next] + (pages.records.map { [$0] } ?? [])
        default: return []
        }
    }
}

extension FlowSecret.Source {
    /// The source in words, without places in the file.
    fileprivate var words: [String] {
        switch self {
        case .environment(let name): ["env", name]
        case .file(let path): ["file", path.path]
        case .command(let program): ["command", program.program] + program.arguments.map(\.text)
        case .broken: []
        }
    }
}
