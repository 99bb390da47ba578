import SteplineEngine
import SteplineSupport

import struct Foundation.Date

/// A task that waits for a list and runs a task for each element in an inner workflow.
///
/// Elements are identified by their keys. With a new list, elements with known keys keep their tasks, and tasks without
/// an element are removed.
///
/// | Call | Thread | Effect |
/// | --- | --- | --- |
/// | `fillInside` | the attempt's thread | adapts the inner tasks to the list, in one transaction |
/// | `elements` | the inner workflow's notifying thread | the tasks, for the list of results |
///
/// Lock order: the inner machine's lock, then `places`, then an element's lock. User objects are released after unlock.
// The properties added here are constant or locked.
final class MapTask<Element: Sendable, Output: Sendable>: ElementsTask<Output>, @unchecked Sendable {
    private final class Place: Sendable {
        let element: Locked<Element>
        init(_ element: Element) { self.element = Locked(element) }
    }

    private struct State {
        var known: [String: (place: Place, task: TaskRef<Output>)] = [:]
        /// The tasks of the current list, in its order.
        var tasks: [TaskRef<Output>] = []
        /// The attempt that made the current list; 0 before the first list.
        var listAttempt = 0
        /// The last attempts of removed elements of a durable run, which the store knows.
        var attempts: [String: Int] = [:]
    }

    /// The values for an element's task, created before the lock is taken.
    private struct Part {
        let key: String
        let element: Element
        let place: Place
        let name: String
        let work: TaskWork
        let options: TaskOptions
    }

    private let list: TaskRef<[Element]>
    private let limit: ConcurrencyPool?
    private let key: (@Sendable (Element) -> String)?
    private let body: @Sendable (Element) async throws -> Output
    private let places = Locked(State())

    init(
        _ name: String, over list: TaskRef<[Element]>, limit: ConcurrencyPool?, options: TaskOptions,
        key: (@Sendable (Element) -> String)?, collectsFailures: Bool, inside settings: WorkflowOptions,
        body: @escaping @Sendable (Element) async throws -> Output
    ) {
        self.list = list
        self.limit = limit
        self.key = key
        self.body = body
        super.init(name, options: options, collectsFailures: collectsFailures, inside: settings)
    }

    override var elements: [TaskRef<Output>] { places.withLock { $0.tasks } }

    override var cachedElementType: (any Sendable.Type)? {
        elementOptions.cacheLifetime == nil ? nil : Element.self
    }

    override var mapped: MappedElements? {
        var mapped = super.mapped
        if key == nil { mapped?.namedByContent = Element.self }
        return mapped
    }

    override func fillInside(in generation: UInt64) throws -> UInt64? {
        // Read before the list: a later attempt can only make the elements start over once too often.
        let listAttempt = list.core.look { $0.snapshot(list.index) }.attempt
        let parts = try makeParts(of: try list.readValue())
        let core = subworkflow.core
        var released: [any Sendable] = []
        var returned: Set<Int> = []
        var refusal: Refusal?
        let first = core.change { machine, turn -> Int32? in
            // A reset or cancel of the inner workflow came first: the caller starts over with the new generation.
            guard machine.generation == generation else { return nil }
            machine.generation += 1
            let first = machine.tasks.count
            refusal = fill(&machine, with: parts, madeBy: listAttempt, &released, &returned, &turn)
            // Before the new elements are restored: restored elements that failed for good must stay failed.
            machine.takeBackFailed(&turn)
            return first
        }
        // The released elements are user objects: free them after unlock.
        withExtendedLifetime(released) {}
        if let refusal { throw subworkflow.error(refusal, of: title) }
        // Restoring may find that the inner workflow left the generation meanwhile.
        guard let first, core.restoreAdded(from: Int(first), except: returned, in: generation + 1)
        else { return nil }
        return generation + 1
    }

    // MARK: Elements

    private func makeParts(of elements: [Element]) throws -> [Part] {
        var seen: Set<String> = []
        let isKept = subworkflow.core.look { $0.journaling != nil }
        let journal = subworkflow.core.surroundings.withLock { $0.journal }
        // Evaluated without the lock: encoding an element is user code.
        let keys = key == nil ? journal?.elementKeys(elements, of: Element.self) : nil
        return try elements.enumerated().map { index, element in
            let key = key?(element) ?? keys?[index] ?? "\(index)"
            guard seen.insert(key).inserted else {
                throw WorkflowError(.duplicateName, title, "two elements have the key \"\(key)\"")
            }
            let place = Place(element), body = body
            // The task reads the current element at each attempt: a new list may have replaced it.
            let current: @Sendable () -> Element = { place.element.withLock { $0 } }
            var options = elementOptions
            // The map's limit is a pool that only its elements use.
            if let limit { options.pools[limit] = 1 }
            let name = try name(of: key, isKept: isKept)
            try subworkflow.check(options, name)
            return Part(
                key: key, element: element, place: place, name: name,
                work: TaskWork(Output.self, async: { try await body(current()) }),
                options: options.made(for: current))
        }
    }

    /// Adds tasks for new keys, replaces the elements of known keys, and removes tasks of missing keys.
    ///
    /// Runs within one transaction of the inner workflow, so no attempt sees a partial list.
    ///
    /// - Parameters:
    ///   - machine: The inner machine.
    ///   - parts: The elements of the new list.
    ///   - listAttempt: The attempt that made the list.
    ///   - released: Receives the user objects to release after unlock.
    ///   - returned: Receives the new tasks whose keys were in an earlier list.
    ///   - turn: The transaction.
    /// - Returns: The reason if a task can't be added.
    private func fill(
        _ machine: inout WorkflowMachine, with parts: [Part], madeBy listAttempt: Int,
        _ released: inout [any Sendable], _ returned: inout Set<Int>, _ turn: inout WorkflowTurn
    ) -> Refusal? {
        places.withLock { state in
            let isNewList = state.listAttempt != listAttempt
            state.listAttempt = listAttempt
            var stale: [Int32] = []
            let keys = Set(parts.map(\.key))
            for (key, gone) in state.known where !keys.contains(key) {
                // The element is a user object: released after unlock.
                released.append(gone.place)
                state.known[key] = nil
                if machine.journaling != nil {
                    state.attempts[key] = Int(machine.tasks[gone.task.index].attempt.number)
                }
                machine.removeElement(gone.task.index, &turn)
            }
            state.tasks = []
            for part in parts {
                if let old = state.known[part.key] {
                    old.place.element.withLock { element in
                        released.append(element)
                        element = part.element
                    }
                    state.tasks.append(old.task)
                    // Started by hand while the map waited for its list: made from the element of the former list.
                    if isNewList { stale.append(old.task.index) }
                    continue
                }
                let none = UnsafeBufferPointer<Int32>(start: nil, count: 0)
                if let refusal = machine.refusal(of: part.name, after: none, isCleanup: false) {
                    return refusal
                }
                let last = state.attempts[part.key]
                let number = machine.add(
                    part.work.work, of: part.work.resultType, part.name, part.options, [], after: none,
                    starts: last == nil, &turn)
                if let last {
                    // The stored state is that from before the removal: the element is run, by a later attempt.
                    machine.restoreElement(
                        number, RestoredTask(0, .open, attempt: last, failures: 0, ended: .distantPast), &turn
                    )
                    returned.insert(Int(number))
                }
                // Stored only after a successful addition, so a rejected key isn't known.
                let task = TaskRef<Output>(subworkflow.home, number)
                state.known[part.key] = (part.place, task)
                state.tasks.append(task)
            }
            machine.reset(stale, &turn)
            return nil
        }
    }
}
