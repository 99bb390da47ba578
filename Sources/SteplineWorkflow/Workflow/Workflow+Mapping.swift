extension Workflow {
    /// Adds a task for each element, and a task with their results in the order of the elements.
    ///
    ///     let sizes = try workflow.map("size", over: files, limit: 8) { file in try size(of: file) }
    ///
    /// The tasks are named `size[0]` and so on, in a durable run by the elements' content. If some fail, the other ones
    /// continue, and the map fails with `.elementFailed` for the first one. `workflow.retry()` repeats only the failed
    /// elements.
    ///
    /// - Parameters:
    ///   - name: The name of the map.
    ///   - elements: The elements.
    ///   - limit: The maximum number of concurrent elements; nil for no limit.
    ///   - options: The options of each element's task.
    ///   - body: The closure, called for each element.
    /// - Returns: A reference to the task with the results.
    /// - Throws: A ``WorkflowError`` if an option is invalid; the workflow is then unchanged.
    @discardableResult
    public func map<Element: Sendable, Output: Sendable>(
        _ name: String, over elements: some Collection<Element>, limit: Int? = nil,
        options: TaskOptions = .init(), body: @escaping @Sendable (Element) throws -> Output
    ) throws -> TaskRef<[Output]> {
        try gather(
            name, options,
            each(name, elements, limit, options) { element in TaskWork(Output.self) { try body(element) } })
    }

    /// Adds an `async` task for each element, and a task with their results in the order of the elements.
    ///
    /// If some fail, the other ones continue, and then the map fails.
    ///
    /// - Parameters:
    ///   - name: The name of the map.
    ///   - elements: The elements.
    ///   - limit: The maximum number of concurrent elements; nil for no limit.
    ///   - options: The options of each element's task.
    ///   - body: The closure, called for each element.
    /// - Returns: A reference to the task with the results.
    /// - Throws: A ``WorkflowError`` if a prerequisite isn't in this workflow or an option is invalid.
    @discardableResult
    public func map<Element: Sendable, Output: Sendable>(
        _ name: String, over elements: some Collection<Element>, limit: Int? = nil,
        options: TaskOptions = .init(), body: @escaping @Sendable (Element) async throws -> Output
    ) throws -> TaskRef<[Output]> {
        try gather(
            name, options,
            each(name, elements, limit, options) { element in
                TaskWork(Output.self, async: { try await body(element) })
            }
        )
    }

    /// Adds a task for each element, and a task with their results or errors, which doesn't fail.
    ///
    /// - Parameters:
    ///   - name: The name of the map.
    ///   - elements: The elements.
    ///   - limit: The maximum number of concurrent elements; nil for no limit.
    ///   - options: The options of each element's task.
    ///   - body: The closure, called for each element.
    /// - Returns: A reference to the task with the results.
    /// - Throws: A ``WorkflowError`` if a prerequisite isn't in this workflow or an option is invalid.
    @discardableResult
    public func mapCollectingFailures<Element: Sendable, Output: Sendable>(
        _ name: String, over elements: some Collection<Element>, limit: Int? = nil,
        options: TaskOptions = .init(), body: @escaping @Sendable (Element) async throws -> Output
    ) throws -> TaskRef<[Result<Output, any Error>]> {
        let parts: [TaskRef<Output>] = try each(name, elements, limit, options) { element in
            TaskWork(Output.self, async: { try await body(element) })
        }
        return try join(name, parts, Join(collectsFailures: true, list: nil)) {
            try parts.map { try $0.allowingFailure.readValue() }
        }
    }

    /// Adds a task that waits for a list, runs a task for each element, and has their results.
    ///
    ///     let pages = try workflow.map("page", over: index, key: \.path) { try await fetch($0) }
    ///
    /// The elements' tasks are created when the list is available, in an inner workflow. They are named by key, such as
    /// `page[/index.html]`, or by index, in a durable run by the elements' content.
    ///
    /// If some fail, the other ones continue, and then the map fails. A retry repeats only the failed elements. If the
    /// list's task runs again, all elements run again; those with known keys keep their tasks.
    ///
    /// - Parameters:
    ///   - name: The name of the map.
    ///   - list: The task with the list.
    ///   - limit: The maximum number of concurrent elements; nil for no limit.
    ///   - options: The options of each element's task.
    ///   - key: Returns the key of an element; nil for its index, in a durable run its content.
    ///   - body: The closure, called for each element.
    /// - Returns: A reference to the map.
    /// - Throws: A ``WorkflowError`` if a prerequisite isn't in this workflow or an option is invalid.
    @discardableResult
    public func map<Element: Sendable, Output: Sendable>(
        _ name: String, over list: TaskRef<[Element]>, limit: Int? = nil, options: TaskOptions = .init(),
        key: (@Sendable (Element) -> String)? = nil,
        body: @escaping @Sendable (Element) async throws -> Output
    ) throws -> TaskRef<[Output]> {
        try TaskRef(addMap(name, over: list, limit, options, key, body))
    }

    /// Adds a task that waits for a list and has the result or error of each element, without failing.
    ///
    /// - Parameters:
    ///   - name: The name of the map.
    ///   - list: The task with the list.
    ///   - limit: The maximum number of concurrent elements; nil for no limit.
    ///   - options: The options of each element's task.
    ///   - key: Returns the key of an element; nil for its index, in a durable run its content.
    ///   - body: The closure, called for each element.
    /// - Returns: A reference to the map.
    /// - Throws: A ``WorkflowError`` if a prerequisite isn't in this workflow or an option is invalid.
    @discardableResult
    public func mapCollectingFailures<Element: Sendable, Output: Sendable>(
        _ name: String, over list: TaskRef<[Element]>, limit: Int? = nil, options: TaskOptions = .init(),
        key: (@Sendable (Element) -> String)? = nil,
        body: @escaping @Sendable (Element) async throws -> Output
    ) throws -> TaskRef<[Result<Output, any Error>]> {
        try TaskRef(addMap(name, over: list, limit, options, key, collectsFailures: true, body))
    }

    private func addMap<Element: Sendable, Output: Sendable>(
        _ name: String, over list: TaskRef<[Element]>, _ limit: Int?, _ options: TaskOptions,
        _ key: (@Sendable (Element) -> String)?, collectsFailures: Bool = false,
        _ body: @escaping @Sendable (Element) async throws -> Output
    ) throws -> WorkflowTask {
        // The limit bounds only the elements; the map itself takes no slot.
        let pool = try pool(of: limit, name)
        try check(options, name)
        let task = MapTask(
            name, over: list, limit: pool, options: options, key: key, collectsFailures: collectsFailures,
            inside: optionsInside, body: body)
        return try add(task, prerequisites: [list.task])
    }

    /// The options of the inner workflow of a map.
    var optionsInside: WorkflowOptions {
        let own = options
        return WorkflowOptions(
            maximumConcurrency: own.maximumConcurrency, grace: own.grace, watchdog: own.watchdog,
            keptAttempts: own.keptAttempts, clock: own.clock)
    }

    func pool(of limit: Int?, _ name: String) throws -> ConcurrencyPool? {
        guard let limit else { return nil }
        guard limit >= 1 else { throw WorkflowError(.invalidOption, name, "limit is \(limit)") }
        return ConcurrencyPool(name, capacity: limit, reach: .map)
    }

    private func each<Element: Sendable, Output: Sendable>(
        _ name: String, _ elements: some Collection<Element>, _ limit: Int?, _ options: TaskOptions,
        _ work: (Element) -> TaskWork
    ) throws -> [TaskRef<Output>] {
        var own = options
        if let pool = try pool(of: limit, name) { own.pools[pool] = 1 }
        // Checked before the first addition, so a rejection leaves the workflow unchanged.
        try check(own, name)
        // A copy: the collection may be a lazy one with side effects.
        let list = Array(elements)
        let parts: [TaskRef<Output>] = try list.enumerated().map { index, element in
            TaskRef(home, try insert("\(name)[\(index)]", work(element), own.made(for: { element })))
        }
        let known = ElementLists.List(map: name, type: Element.self) { list[$0] }
        core.look { $0.rare.lists.add(parts.map(\.index), of: known) }
        return parts
    }

    private func gather<Output: Sendable>(
        _ name: String, _ options: TaskOptions, _ parts: [TaskRef<Output>]
    ) throws -> TaskRef<[Output]> {
        let list = ElementList(of: Output.self, with: options)
        return try join(name, parts, Join(collectsFailures: false, list: list)) { () -> any Sendable in
            if list != nil, let kept = try TaskRef.keptResults(of: parts, name) { return kept }
            // The join runs even if elements have failed, so the failed ones are found here.
            return try parts.enumerated().map { index, part in
                do {
                    return try part.allowingFailure.readValue().get()
                } catch {
                    throw TaskRef.failure(of: parts, at: index, error)
                }
            }
        }
    }

    private typealias Join = RareTaskState.Join

    /// Adds a task that runs after all parts have ended, even if some have failed.
    private func join<Output: Sendable, Joined: Sendable>(
        _ name: String, _ parts: [TaskRef<Output>], _ kind: Join,
        _ body: @escaping @Sendable () throws -> any Sendable
    ) throws -> TaskRef<Joined> {
        let places = parts.map(\.index)
        return try places.withUnsafeBufferPointer {
            let number = try insert(
                name, TaskWork(Joined.self, body), TaskOptions(), prerequisites: $0,
                allowing: Set(places)
            )
            core.look { $0.rare.joins[number] = kind }
            return TaskRef(home, number)
        }
    }
}
