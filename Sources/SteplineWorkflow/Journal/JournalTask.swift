package import struct Foundation.URL

/// The facts of a task that a journal needs.
package struct JournalTask: Sendable {
    /// Its place, from 0.
    package let number: Int
    package let name: String
    /// The type of its result, where it is known.
    package internal(set) var resultType: (any Sendable.Type)?
    package let version: Int
    /// Whether its result is made again rather than kept.
    package let isRecomputed: Bool
    /// The files that it makes.
    package internal(set) var produces: [URL]
    /// Whether other runs may take its result over.
    package let isCached: Bool
    /// The type of the elements that it, or its tasks, are made for, if other runs may take over what is made of them.
    package internal(set) var elementType: (any Sendable.Type)?
    /// How a map's result is made of its elements' results, which are kept by themselves; nil if it is kept whole.
    package internal(set) var elementList: ElementList?
    /// The properties of a growing map, for the map itself and for its elements.
    package internal(set) var growth: Growth?
    /// The tasks that a map makes for the elements of its list; nil for other tasks.
    package internal(set) var mapped: MappedElements?
    /// The element of a static list that it was added for.
    package internal(set) var element: ListedElement?
    package let isCondition: Bool
    package let isCleanup: Bool
    package let prerequisites: [Int]
    /// Which of them may fail.
    package let mayFail: [Bool]
    /// The workflow that it runs, if it runs one.
    package let subworkflow: Workflow?
    /// Whether the names in there stand for themselves, without the task's before them.
    package let isTransparent: Bool
}

/// The properties of a growing map that a journal needs.
package struct Growth: Sendable {
    /// The type of an element's result.
    package let output: any Sendable.Type
    /// The type of the elements.
    package let found: any Sendable.Type
    /// The keys of the first elements, as far as they are known beforehand, and the limits.
    package let start: [String]
    /// Whether the elements run in the process that owns the run, also if it has workers.
    package let staysWithOwner: Bool
}

/// An element of a list that was known when its tasks were added.
package struct ListedElement: Sendable {
    /// The name of the map.
    package let map: String
    /// The type of the list's elements.
    package let type: any Sendable.Type
    package let value: any Sendable
}

extension JournalTask {
    /// Creates the description that the tasks of a growing map's elements share; name and number differ.
    init(ofElementWith options: TaskOptions, _ elementType: (any Sendable.Type)?, _ growth: Growth?) {
        self.init(
            number: 0, name: "", resultType: growth?.output, version: options.version,
            isRecomputed: options.isRecomputed, produces: options.produces,
            isCached: options.cacheLifetime != nil, elementType: elementType, growth: growth,
            isCondition: false, isCleanup: false, prerequisites: [], mayFail: [], subworkflow: nil,
            isTransparent: false)
    }
}

/// The tasks that a map makes for the elements of its list.
package struct MappedElements: Sendable {
    /// The type of an element's result.
    package let resultType: any Sendable.Type
    /// Whether an element's result is made again rather than kept.
    package let areRecomputed: Bool
    /// The type of the elements if a durable run names them by content; nil if they have keys.
    package var namedByContent: (any Sendable.Type)?
}

extension WorkflowMachine {
    /// A task as its machine knows it, without what only its object says.
    func journalTask(_ number: Int32) -> JournalTask {
        var prerequisites: [Int] = []
        var mayFail: [Bool] = []
        for place in graph.places(of: number) {
            let edge = graph.edge(at: place)
            prerequisites.append(Int(edge.prerequisite))
            // A cleanup also runs after a failure of what it guards.
            mayFail.append(edge.kind != .needs)
        }
        let around =
            tasks[number].traits.contains(.subworkflow) ? object(number) as? SubworkflowTask : nil
        let options = rare.options[number]
        return JournalTask(
            number: Int(number), name: name(number),
            // Before its first end, a task has the declared type in place of a result.
            resultType: (tasks.value(number) as? ResultType)?.type,
            version: options?.version ?? 1, isRecomputed: options?.isRecomputed ?? false,
            produces: options?.produces ?? [],
            isCached: options?.cacheLifetime != nil,
            isCondition: tasks[number].traits.contains(.condition),
            isCleanup: tasks[number].traits.contains(.cleanup), prerequisites: prerequisites,
            mayFail: mayFail, subworkflow: around?.subworkflow,
            isTransparent: around?.isTransparent ?? false)
    }
}
