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
/// Lock order: the inner machine's lock, then `members`, then that of `list`. No body retains this task.
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
        /// The keys of the first elements.
        var start: Set<String> = []
        /// Whether all elements but the first ones are to be removed, after a reset.
        var startsOver = false
        /// Whether an element was found that the full list has no place for.
        var hasRefused = false
        /// The last attempts of removed elements of a durable run, which the store knows.
        var attempts: [String: Int] = [:]
    }

    /// An element with the values for its task, created before the lock is taken.
    private struct Part: Sendable {
        let key: String
        let element: Element
        let depth: Int
        let options: TaskOptions
        /// The state that a durable run has kept of it.
        var restored: RestoredTask?
    }

    /// Elements with their keys, each key once; the keys come from user code, so they are asked for without the lock.
    private struct Keyed {
        var keys: [String] = []
        var elements: [Element] = []

        init(_ found: some Sequence<any Sendable>, by key: (Element) -> String) {
            var seen: Set<String> = []
            for case let element as Element in found {
                let key = key(element)
                guard seen.insert(key).inserted else { continue }
                keys.append(key)
                elements.append(element)
            }
        }
    }

    private let start: Start
    private let key: @Sendable (Element) -> String
    private let limits: Limits
    private let priority: (@Sendable (Element) -> Priority)?
    /// Shared by all elements with the same priority.
    private let optionsByPriority: [Priority: TaskOptions]
    private let staysWithOwner: Bool
    /// The elements and the body.
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
        list = GrownElements(of: name, body: body)
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

    override var hasRefusedElements: Bool { members.withLock { $0.hasRefused } }

    override func addAlone(_ element: any Sendable, depth: Int) -> Int32? {
        guard let element = element as? Element else { return nil }
        let key = key(element)
        let part = part(key, element, depth)
        return subworkflow.core.change { machine, turn in
            if let number = list.number(of: key) {
                // Another owner of the run may have found the key with another element.
                turn.releaseAfterUnlock(list.replace(number, by: element, depth: depth))
                return number
            }
            return machine.adding { add(part, to: &$0, &turn) }
        }
    }

    override var elements: [TaskRef<Output>] {
        let home = subworkflow.home
        return list.numbers.map { TaskRef(home, $0) }
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
        let found = Keyed(first, by: key)
        let additions = try additions(for: found, depth: 0)
        let keys = Set(found.keys)
        let filled = subworkflow.core.change { machine, turn -> UInt64? in
            // A reset or cancel of the inner workflow came first: the caller starts over with the new generation.
            guard machine.generation == generation else { return nil }
            machine.generation += 1
            begin(&machine, from: keys, &turn)
            // Before the elements are restored: restored elements that failed for good must stay failed.
            machine.takeBackFailed(&turn)
            additions?.add(to: &machine, &turn)
            return machine.generation
        }
        if filled != nil, let journal = subworkflow.core.surroundings.withLock({ $0.journal }) {
            journal.haveRestoredElements { list.number(named: $0) != nil }
        }
        return filled
    }

    /// Removes what was found in vain: everything after a reset, or if a first element is gone.
    private func begin(_ machine: inout WorkflowMachine, from keys: Set<String>, _ turn: inout WorkflowTurn) {
        members.withLock { members in
            defer { (members.start, members.startsOver) = (keys, false) }
            let isReduced = !members.start.isSubset(of: keys)
            guard members.startsOver || isReduced else { return }
            members.hasRefused = false
            for number in list.numbers {
                guard let key = list.key(of: number), !keys.contains(key) else { continue }
                if machine.journaling != nil {
                    members.attempts[key] = Int(machine.tasks[number].attempt.number)
                }
                machine.removeElement(number, &turn)
                turn.releaseAfterUnlock(list.remove(number))
            }
            // The rest has to find its elements again.
            if isReduced { machine.reset(list.numbers, &turn) }
        }
    }

    // MARK: What is found

    override func prepare(_ grown: GrownResult, of number: Int32) throws -> GrownResult {
        var grown = grown
        grown.depth = list.depth(of: number) ?? grown.depth
        let found = Keyed(grown.found, by: key)
        grown.found = found.elements
        let isAlone = subworkflow.core.look { $0.journaling?.isAlone == true }
        // A full list stays full until an attempt of the whole map begins. A worker adds nothing by itself: the owner
        // of the run does.
        guard list.count < limits.elements, !isAlone else {
            // The owner could only refuse a name that is too long, when the result is stored already.
            if isAlone, grown.depth < limits.depth {
                for key in found.keys { _ = try name(of: key, isKept: true) }
            }
            if !isAlone, grown.depth < limits.depth,
                found.keys.contains(where: { list.number(of: $0) == nil })
            {
                members.withLock { $0.hasRefused = true }
            }
            return grown
        }
        grown.additions = try additions(for: found, depth: grown.depth + 1)
        return grown
    }

    /// Creates the tasks for unknown elements, and for what those have found that a durable run has kept.
    ///
    /// Breadth first. Reads the store level by level.
    private func additions(for first: Keyed, depth: Int) throws -> Additions? {
        var parts: [Part] = []
        var seen: Set<String> = []
        collect(first, depth: depth, &parts, &seen)
        guard !parts.isEmpty else { return nil }
        guard let journal = subworkflow.core.surroundings.withLock({ $0.journal }) else {
            return Additions(task: self, parts: parts)
        }
        let removed = members.withLock { $0.attempts }
        var start = 0
        while start < parts.count {
            let level = start..<parts.count
            start = level.upperBound
            let names = try level.map { try name(of: parts[$0].key, isKept: true) }
            let restored = journal.restoredElements(names, like: journalTask)
            for place in level {
                let name = names[place - level.lowerBound]
                if let last = removed[parts[place].key] {
                    // Its stored state is that from before its removal.
                    parts[place].restored = RestoredTask(
                        0, .open, attempt: max(last, restored[name]?.attempt ?? 0), failures: 0,
                        ended: .distantPast)
                } else if var kept = restored[name] {
                    if case .finished(let grown as GrownResult) = kept.state {
                        kept.state = .finished(grown.output)
                        collect(
                            Keyed(grown.found, by: key), depth: parts[place].depth + 1, &parts, &seen)
                    }
                    parts[place].restored = kept
                }
            }
        }
        return Additions(task: self, parts: parts)
    }

    /// Adds parts for the elements that are neither in the list nor in `seen`.
    private func collect(
        _ found: Keyed, depth: Int, _ parts: inout [Part], _ seen: inout Set<String>
    ) {
        guard depth <= limits.depth else { return }
        // Most elements of a crawl are known: look at their keys alone.
        for (place, key) in found.keys.enumerated()
        where list.number(of: key) == nil && seen.insert(key).inserted {
            parts.append(part(key, found.elements[place], depth))
        }
    }

    private func part(_ key: String, _ element: Element, _ depth: Int) -> Part {
        let options = priority.flatMap { optionsByPriority[$0(element)] } ?? elementOptions
        return Part(key: key, element: element, depth: depth, options: options.made(for: { element }))
    }

    /// Adds the task of an unknown element; returns nil if the machine refuses it.
    private func add(
        _ part: Part, to machine: inout WorkflowMachine, _ turn: inout WorkflowTurn
    ) -> Int32? {
        let none = UnsafeBufferPointer<Int32>(start: nil, count: 0)
        // The machine refuses all tasks on a worker. Names may repeat inside a map.
        guard machine.refusal(of: "", after: none, isCleanup: false) == nil else { return nil }
        // Before the task is added, which may begin.
        list.add(part.element, part.key, depth: part.depth, machine.tasks.count)
        // Without a name: `list` makes it of the key.
        let number = machine.add(
            .async(list), of: Output.self, "", part.options, [], after: none,
            starts: part.restored == nil, &turn)
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
            let new = parts.filter { task.list.number(of: $0.key) == nil }
            // An element with a stored state precedes those that haven't begun.
            let room = max(0, task.limits.elements - task.list.count)
            var restored = min(room, new.count { $0.restored != nil })
            var others = room - restored
            for part in new {
                if part.restored == nil { others -= 1 } else { restored -= 1 }
                guard (part.restored == nil ? others : restored) >= 0 else {
                    task.members.withLock { $0.hasRefused = true }
                    continue
                }
                _ = task.add(part, to: &machine, &turn)
            }
        }
    }
}
