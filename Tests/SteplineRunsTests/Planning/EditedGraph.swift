import SteplineRunsTesting
import SteplineSupport
import SteplineTesting
import SteplineWorkflow

/// A random graph of tasks that is edited between the runs of one key.
struct EditedGraph {
    enum Kind: CaseIterable {
        case plain, recomputed, cached, map, inside, cleanup, condition
    }

    struct Spec {
        let name: String
        var kind: Kind
        var version = 1
        /// Whether the result is a text instead of a number.
        var isText = false
        var fails = false
        /// The prerequisites, each with whether it may fail.
        var links: [(name: String, mayFail: Bool)] = []
        /// The elements of a map.
        var keys: [String] = []
        /// Whether the elements are named by content, which gives them the same names.
        var isKeyless = false
        /// The tasks inside a subworkflow.
        var inner: [Spec] = []
    }

    private var random: StableRandom
    private var count = 0
    private(set) var specs: [Spec] = []
    /// Whether a task has changed under its old version: kept results are those of the earlier definition.
    private(set) var hasSilentEdits = false
    private let cancelsOthers: Bool

    init(seed: UInt64) {
        random = StableRandom(seed: seed)
        cancelsOthers = random.below(4) == 0
        for _ in 0..<(2 + random.below(8)) { specs.append(spec(after: specs, depth: 0)) }
    }

    // MARK: Making tasks

    private mutating func spec(after others: [Spec], depth: Int) -> Spec {
        count += 1
        let kind = random.below(2) == 0 ? .plain : Kind.allCases[random.below(Kind.allCases.count)]
        var spec = Spec(name: "t\(count)", kind: kind == .inside && depth > 1 ? .plain : kind)
        spec.links = links(to: others)
        spec.fails = random.below(12) == 0
        spec.keys = keys()
        spec.isKeyless = random.below(2) == 0
        if kind == .inside {
            for _ in 0..<(1 + random.below(3)) {
                spec.inner.append(self.spec(after: spec.inner, depth: depth + 1))
            }
        }
        return spec
    }

    private mutating func links(to others: [Spec]) -> [(name: String, mayFail: Bool)] {
        let candidates = others.suffix(5).filter { $0.kind != .cleanup }.map(\.name)
        return candidates.filter { _ in random.below(3) == 0 }.map { ($0, random.below(5) == 0) }
    }

    private mutating func keys() -> [String] { ["a", "b", "c", "d"].filter { _ in random.below(2) == 0 } }

    // MARK: Edits

    /// Changes some of the tasks.
    mutating func edit() {
        var edited = specs
        for _ in 0..<random.below(4) { edit(&edited, depth: 0) }
        specs = edited
    }

    private mutating func edit(_ specs: inout [Spec], depth: Int) {
        guard !specs.isEmpty else { return }
        let place = random.below(specs.count)
        let before = Array(specs[..<place])
        switch random.below(10) {
        case 0, 1: specs[place].version += 1
        case 2: specs[place].isText.toggle()
        case 3:
            specs[place].fails.toggle()
            declare(&specs[place])
        case 4: specs[place].links = links(to: before)
        case 5:
            specs[place].keys = keys()
            declare(&specs[place])
        case 6 where specs.count > 1:
            let name = specs[place].name
            specs.remove(at: place)
            for other in specs.indices { specs[other].links.removeAll { $0.name == name } }
        case 7: specs.insert(spec(after: before, depth: depth), at: place)
        case 8 where specs[place].kind == .plain: specs[place].kind = .recomputed
        default: if specs[place].kind == .inside { edit(&specs[place].inner, depth: depth + 1) }
        }
    }

    /// Raises the version of an edited task, or keeps the edit silent.
    private mutating func declare(_ spec: inout Spec) {
        if random.below(3) > 0 { spec.version += 1 } else { hasSilentEdits = true }
    }

    // MARK: Building

    /// Returns the names of all steps but elements, and those of maps.
    var names: (all: Set<String>, maps: Set<String>) {
        var names: (all: Set<String>, maps: Set<String>) = ([], [])
        func add(_ specs: [Spec], in prefix: String) {
            for spec in specs {
                let name = prefix + spec.name
                names.all.insert(name)
                if spec.kind == .map {
                    names.maps.insert(name)
                    names.all.insert("\(name) list")
                }
                if spec.kind == .inside { add(spec.inner, in: name + "/") }
            }
        }
        add(specs, in: "")
        return names
    }

    /// The conditions by path, each with the value that it expects.
    var conditions: [(path: String, value: any Sendable)] {
        func conditions(_ specs: [Spec], in prefix: String) -> [(path: String, value: any Sendable)] {
            specs.flatMap { spec -> [(path: String, value: any Sendable)] in
                switch spec.kind {
                case .condition: [(prefix + spec.name, spec.isText ? "yes" : 7)]
                case .inside: conditions(spec.inner, in: "\(prefix)\(spec.name)/")
                default: []
                }
            }
        }
        return conditions(specs, in: "")
    }

    /// Whether one of the bodies may fail.
    var mayFail: Bool {
        func mayFail(_ specs: [Spec]) -> Bool { specs.contains { $0.fails || mayFail($0.inner) } }
        return mayFail(specs)
    }

    /// The names of the elements that the current lists have.
    var elements: Set<String> {
        func elements(_ specs: [Spec], in prefix: String) -> [String] {
            specs.flatMap { spec in
                spec.kind == .map
                    ? spec.keys.map { "\(prefix)\(spec.name)[\($0)]" }
                    : spec.kind == .inside ? elements(spec.inner, in: "\(prefix)\(spec.name)/") : []
            }
        }
        return Set(elements(specs, in: ""))
    }

    /// Makes a workflow whose bodies record their names.
    func make(_ bodies: Recorder<String>) throws -> Workflow {
        var options = WorkflowOptions()
        options.onFailure = cancelsOthers ? .cancelOthers : .finishOthers
        let workflow = Workflow("edited", options: options)
        try Self.fill(workflow, specs, "", bodies)
        return workflow
    }

    private static func fill(
        _ workflow: Workflow, _ specs: [Spec], _ prefix: String, _ bodies: Recorder<String>
    ) throws {
        var made: [String: WorkflowTask] = [:]
        var comparable: Set<String> = []
        for spec in specs {
            let links = spec.links.filter { made[$0.name] != nil }
            let before = links.compactMap { made[$0.name] }
            let allowed = links.filter(\.mayFail).compactMap { made[$0.name] }
            let path = prefix + spec.name
            var options = TaskOptions(version: spec.version)
            if spec.kind == .recomputed { options.isRecomputed = true }
            if spec.kind == .cached, links.allSatisfy({ comparable.contains($0.name) }) {
                options.cacheLifetime = .seconds(3600)
            }
            switch spec.kind {
            case .map:
                let list = ListTask("\(spec.name) list", spec, path, options, bodies)
                try workflow.add(list, prerequisites: before, allowingFailureOf: allowed)
                let itself: @Sendable (String) -> String = { $0 }
                made[spec.name] = try workflow.map(
                    spec.name, over: TaskRef<[String]>(list), options: options,
                    key: spec.isKeyless ? nil : itself
                ) { key async throws in
                    bodies.record("\(path)[\(key)]")
                    if spec.fails, key == "c" { throw Refusal() }
                    return key.utf8.count + spec.version
                }.task
            case .inside:
                let inner = Workflow(spec.name)
                try fill(inner, spec.inner, path + "/", bodies)
                let task = SubworkflowTask(name: spec.name, subworkflow: inner, options: options)
                made[spec.name] = try workflow.add(
                    task, prerequisites: before, allowingFailureOf: allowed)
            case .cleanup where !before.isEmpty:
                _ = try workflow.addCleanup(spec.name, after: before, options: options) {
                    bodies.record(path)
                }
                continue
            case .condition:
                let type: any Sendable.Type = spec.isText ? String.self : Int.self
                made[spec.name] = try workflow.add(
                    ExternalConditionTask(name: spec.name, of: type), prerequisites: before,
                    allowingFailureOf: allowed)
            case .plain, .recomputed, .cached, .cleanup:
                made[spec.name] = try workflow.add(
                    ValueTask(spec, path, options, bodies), prerequisites: before,
                    allowingFailureOf: allowed)
            }
            if ![.recomputed, .inside, .condition].contains(spec.kind) { comparable.insert(spec.name) }
        }
    }
}

private struct Refusal: Error {}

private final class ValueTask: WorkflowTask, @unchecked Sendable {  // its own members are constant
    private let spec: EditedGraph.Spec
    private let path: String
    private let bodies: Recorder<String>

    init(_ spec: EditedGraph.Spec, _ path: String, _ options: TaskOptions, _ bodies: Recorder<String>) {
        (self.spec, self.path, self.bodies) = (spec, path, bodies)
        super.init(name: spec.name, options: options)
    }

    override var resultType: (any Sendable.Type)? { spec.isText ? String.self : Int.self }

    override func run() async throws -> (any Sendable)? {
        bodies.record(path)
        if spec.fails { throw Refusal() }
        // Depends on everything that the definition and the inputs are.
        var hash = spec.version
        for value in allPrerequisiteResults {
            let text = value is Workflow ? "workflow" : value.map { "\($0)" } ?? "nothing"
            for byte in text.utf8 { hash = (hash &* 31 &+ Int(byte)) & 0xFF_FFFF }
        }
        // Some texts are large: a store on disk keeps them beside its database.
        return spec.isText ? String(repeating: "\(hash) ", count: hash % 5 == 0 ? 10_000 : 1) : hash
    }
}

private final class ListTask: WorkflowTask, @unchecked Sendable {  // its own members are constant
    private let spec: EditedGraph.Spec
    private let path: String
    private let bodies: Recorder<String>

    init(
        _ name: String, _ spec: EditedGraph.Spec, _ path: String, _ options: TaskOptions,
        _ bodies: Recorder<String>
    ) {
        (self.spec, self.path, self.bodies) = (spec, path, bodies)
        super.init(name: name, options: options)
    }

    override var resultType: (any Sendable.Type)? { [String].self }

    override func run() async throws -> (any Sendable)? {
        bodies.record("\(path) list")
        return spec.keys
    }
}
