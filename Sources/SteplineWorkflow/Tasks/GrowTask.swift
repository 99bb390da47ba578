import SteplineEngine
import SteplineSupport

import struct Foundation.Date

/// A map whose list grows while it runs: the body of an element may find further elements.
///
/// The tasks of all elements lie in the inner workflow, in the order in which they were found. Each key has one task.
///
/// | Call | Thread | Effect |
/// | --- | --- | --- |
/// | `fillInside` | the attempt's thread | adds the first elements, and all that a durable run has kept |
/// | `prepare` | the thread on which a body has ended | creates the tasks for what was found, without the machine's lock |
/// | `Additions.add` | the same, in the transaction that finishes the element | adds those that are still unknown |
/// | `addAlone` | a worker's thread | adds one element that another process has found, for the worker to run |
///
/// **Invariants.** An element is finished and what it has found is added in one transaction, so the inner workflow never
/// settles in between. What a durable run knows of an element is its stored result, which includes what was found. The
/// list of the next process follows from these results alone: the first elements, what finished ones have found, and so
/// on.
///
/// **Limits.** Elements with a stored state come first when a list of a durable run is made again, because the order in
/// which results were stored is unknown: no finished element gives its place to one that hasn't begun.
///
/// Lock order: the inner machine's lock, then `members`. No body retains this task.
// The properties added here are constant or locked.
final class GrowTask<Element: Sendable, Output: Sendable>: ElementsTask<Output>, @unchecked Sendable {
    /// The first elements: known beforehand, or the result of a task.
    enum Start: Sendable {
        case elements([Element])
        case result(TaskRef<[Element]>)
    }

    /// The limits of the list.
    struct Limits: Sendable {
        var elements = Int.max
        var depth = Int.max
    }

    private struct Members {
        /// The tasks of the elements, by name.
        var numbers: [String: Int32] = [:]
        /// The names of the first elements.
        var start: Set<String> = []
        /// Whether all elements but the first ones are to be removed, after a reset.
        var startsOver = false
        /// The last attempts of removed elements of a durable run, which the store knows.
        var attempts: [String: Int] = [:]

    }

    /// An element with the values for its task, created before the lock is taken.
    private struct Part: Sendable {
        let name: String
        let element: Element
        let depth: Int
        let options: TaskOptions
        /// The state that a durable run has kept of it.
        var restored: RestoredTask?
    }

    /// The elements of one level of the list.
    private typealias Level = [(element: Element, depth: Int)]

    private let start: Start
    private let key: @Sendable (Element) -> String
    private let limits: Limits
    private let priority: (@Sendable (Element) -> Priority)?
    /// Shared by all elements with the same priority.
    private let optionsByPriority: [Priority: TaskOptions]
    private let staysWithOwner: Bool
    /// The elements and the body. Lock order: `members`, then this.
    private let list: GrownElements<Element, Output>
    private let startDigest: [String]
    private let members = Locked(Members())

    init(
        _ name: String, from start: Start, key: @escaping @Sendable (Element) -> String, limits: Limits,
        priority: (@Sendable (Element) -> Priority)?, options: TaskOptions, staysWithOwner: Bool,
        inside settings: WorkflowOptions,
        body: @escaping @Sendable (Element, GrowingList<Element>) async throws -> Output
    ) {
        self.start = start
        self.key = key
        self.limits = limits
        self.priority = priority
        self.staysWithOwner = staysWithOwner
        let priorities = priority == nil ? [] : Priority.allCases
        optionsByPriority = Dictionary(
            uniqueKeysWithValues: priorities.map { priority in
                var own = options
                own.priority = priority
                return (priority, own)
            })
        list = GrownElements(body: body)
        // A finished run goes on after a change of these.
        var digest = ["\(limits.elements)", "\(limits.depth)"]
        if case .elements(let elements) = start { digest += elements.map(key) }
        startDigest = digest
        super.init(name, options: options, inside: settings)
    }

    override var growth: Growth? {
        Growth(
            output: Output.self, found: Element.self, start: startDigest, staysWithOwner: staysWithOwner)
    }

    override func grownElement(_ number: Int32) -> (value: any Sendable, depth: Int)? {
        list[number].map { ($0.element, $0.depth) }
    }

    override func addAlone(_ element: any Sendable, depth: Int) throws -> Int32? {
        guard let element = element as? Element else { return nil }
        let part = part(try name(of: key(element), isKept: true), element, depth)
        return subworkflow.core.change { machine, turn in
            members.withLock { members in
                if let number = members.numbers[part.name] {
                    // Another owner of the run may have found the key with another element.
                    turn.releaseAfterUnlock(list.put(element, depth: depth, at: number))
                    return number
                }
                return machine.adding { add(part, to: &$0, &members, &turn) }
            }
        }
    }

    override var elements: [TaskRef<Output>] {
        let home = subworkflow.home
        return members.withLock { $0.numbers.values.sorted() }.map { TaskRef(home, $0) }
    }

    override var cachedElementType: (any Sendable.Type)? {
        elementOptions.cacheLifetime == nil ? nil : Element.self
    }

    override func didReset() {
        // Before the inner workflow is reset: an attempt that begins after the reset finds the mark.
        members.withLock { $0.startsOver = true }
        super.didReset()
    }

    override func fillInside(in generation: UInt64) throws -> UInt64? {
        let first: [Element]
        switch start {
        case .elements(let elements): first = elements
        case .result(let list): first = try list.readValue()
        }
        let isKept = subworkflow.core.look { $0.journaling != nil }
        let names = Set(try first.map { try name(of: key($0), isKept: isKept) })
        let additions = try additions(for: first.map { ($0, 0) })
        return subworkflow.core.change { machine, turn -> UInt64? in
            // A reset or cancel of the inner workflow came first: the caller starts over with the new generation.
            guard machine.generation == generation else { return nil }
            machine.generation += 1
            begin(&machine, from: names, &turn)
            // Before the elements are restored: restored elements that failed for good must stay failed.
            machine.takeBackFailed(&turn)
            additions?.add(to: &machine, &turn)
            return machine.generation
        }
    }

    /// Removes what was found in vain: everything after a reset, or if a first element is gone.
    private func begin(_ machine: inout WorkflowMachine, from names: Set<String>, _ turn: inout WorkflowTurn)
    {
        members.withLock { members in
            defer { (members.start, members.startsOver) = (names, false) }
            let isReduced = !members.start.isSubset(of: names)
            guard members.startsOver || isReduced else { return }
            for (name, number) in members.numbers where !names.contains(name) {
                members.numbers[name] = nil
                if machine.journaling != nil {
                    members.attempts[name] = Int(machine.tasks[number].attempt.number)
                }
                machine.removeElement(number, &turn)
                turn.releaseAfterUnlock(list.put(nil, at: number))
            }
            // The rest has to find its elements again.
            if isReduced { machine.reset(members.numbers.values.sorted(), &turn) }
        }
    }

    // MARK: What is found

    override func prepare(_ grown: GrownResult, of number: Int32) throws -> GrownResult {
        var grown = grown
        grown.depth = list[number]?.depth ?? grown.depth
        var seen: Set<String> = []
        let found = grown.found.compactMap { $0 as? Element }.filter { seen.insert(key($0)).inserted }
        grown.found = found
        // A full list stays full until an attempt of the whole map begins.
        guard members.withLock({ $0.numbers.count < limits.elements }),
            // A worker adds nothing by itself: the owner of the run does.
            subworkflow.core.look({ $0.journaling?.isAlone != true })
        else { return grown }
        grown.additions = try additions(for: found.map { ($0, grown.depth + 1) })
        return grown
    }

    /// Creates the tasks for unknown elements, and for what those have found that a durable run has kept.
    ///
    /// Breadth first. Reads the store level by level.
    private func additions(for first: Level) throws -> Additions? {
        let core = subworkflow.core
        let isKept = core.look { $0.journaling != nil }
        let journal = core.surroundings.withLock { $0.journal }
        var parts: [Part] = []
        var seen: Set<String> = []
        var level = first
        while !level.isEmpty {
            // Evaluated without the lock: keys come from user code.
            var fresh: [(name: String, element: Element, depth: Int)] = []
            for (element, depth) in level where depth <= limits.depth {
                let name = try name(of: key(element), isKept: isKept)
                if seen.insert(name).inserted { fresh.append((name, element, depth)) }
            }
            let removed = members.withLock { members in
                fresh.removeAll { members.numbers[$0.name] != nil }
                return members.attempts
            }
            let restored =
                fresh.isEmpty ? nil : journal?.restoredElements(fresh.map(\.name), like: journalTask)
            level = []
            for (name, element, depth) in fresh {
                var part = part(name, element, depth)
                if let last = removed[name] {
                    // Its stored state is that from before its removal.
                    part.restored = RestoredTask(0, .open, attempt: last, failures: 0, ended: .distantPast)
                } else if var kept = restored?[name] {
                    if case .finished(let grown as GrownResult) = kept.state {
                        kept.state = .finished(grown.output)
                        level += grown.found.compactMap { $0 as? Element }.map { ($0, grown.depth + 1) }
                    }
                    part.restored = kept
                }
                parts.append(part)
            }
        }
        return parts.isEmpty ? nil : Additions(task: self, parts: parts)
    }

    private func part(_ name: String, _ element: Element, _ depth: Int) -> Part {
        let options = priority.flatMap { optionsByPriority[$0(element)] } ?? elementOptions
        return Part(name: name, element: element, depth: depth, options: options.made(for: { element }))
    }

    /// Adds the task of an unknown element; returns nil if the machine refuses it.
    private func add(
        _ part: Part, to machine: inout WorkflowMachine, _ members: inout Members, _ turn: inout WorkflowTurn
    ) -> Int32? {
        let none = UnsafeBufferPointer<Int32>(start: nil, count: 0)
        // The machine refuses all tasks on a worker.
        guard machine.refusal(of: part.name, after: none, isCleanup: false) == nil else { return nil }
        // Before the task is added, which may begin.
        list.put(part.element, depth: part.depth, at: machine.tasks.count)
        let number = machine.add(
            .async(list), of: Output.self, part.name, part.options, [], after: none,
            starts: part.restored == nil, &turn)
        members.numbers[part.name] = number
        if let restored = part.restored { machine.restoreElement(number, restored, &turn) }
        return number
    }

    /// The properties that the tasks of all elements share.
    private var journalTask: JournalTask {
        JournalTask(ofElementWith: elementOptions, cachedElementType, growth)
    }

    /// Tasks to add in the transaction that finishes their finder, or that begins an attempt of the map.
    private struct Additions: ElementAdditions {
        let task: GrowTask
        let parts: [Part]

        func add(to machine: inout WorkflowMachine, _ turn: inout WorkflowTurn) {
            task.members.withLock { members in
                let new = parts.filter { members.numbers[$0.name] == nil }
                // An element with a stored state precedes those that haven't begun.
                let room = max(0, task.limits.elements - members.numbers.count)
                var known = min(room, new.count { $0.restored != nil })
                var unknown = room - known
                for part in new {
                    if part.restored == nil { unknown -= 1 } else { known -= 1 }
                    guard (part.restored == nil ? unknown : known) >= 0 else { continue }
                    _ = task.add(part, to: &machine, &members, &turn)
                }
            }
        }
    }
}
