extension Workflow {
    /// Adds a task for each element, and one behind them that has their results in the elements' order.
    ///
    ///     let sizes = try workflow.map("size", over: files, limit: 8) { file in try size(of: file) }
    ///
    /// They are named `size[0]` and so on; at most `limit` run at a time. If some fail, the others go on, and
    /// then the map fails with `.elementFailed`, which names the first; `workflow.retry()` runs only those again.
    @discardableResult
    public func map<Element: Sendable, Output: Sendable>(
        _ name: String, over elements: some Collection<Element>, limit: Int? = nil,
        options: TaskOptions = .init(), body: @escaping @Sendable (Element) throws -> Output
    ) throws -> TaskRef<[Output]> {
        try gather(
            name,
            each(name, elements, limit, options) { element in TaskWork(Output.self) { try body(element) } })
    }

    /// Adds an `async` task for each element, and one behind them that has their results in the elements' order.
    ///
    /// At most `limit` run at a time. If some fail, the others go on, and then the map fails.
    @discardableResult
    public func map<Element: Sendable, Output: Sendable>(
        _ name: String, over elements: some Collection<Element>, limit: Int? = nil,
        options: TaskOptions = .init(), body: @escaping @Sendable (Element) async throws -> Output
    ) throws -> TaskRef<[Output]> {
        try gather(
            name,
            each(name, elements, limit, options) { element in
                TaskWork(Output.self, async: { try await body(element) })
            }
        )
    }

    /// Adds a task for each element, and one behind them that has what became of each, and doesn't fail.
    @discardableResult
    public func mapCollectingFailures<Element: Sendable, Output: Sendable>(
        _ name: String, over elements: some Collection<Element>, limit: Int? = nil,
        options: TaskOptions = .init(), body: @escaping @Sendable (Element) async throws -> Output
    ) throws -> TaskRef<[Result<Output, any Error>]> {
        let parts: [TaskRef<Output>] = try each(name, elements, limit, options) { element in
            TaskWork(Output.self, async: { try await body(element) })
        }
        return try join(name, parts) { try parts.map { try $0.allowingFailure.readValue() } }
    }

    /// Adds a task that waits for a list, runs a task for each of its elements, and has their results.
    ///
    ///     let pages = try workflow.map("page", over: index, key: \.path) { try await fetch($0) }
    ///
    /// The elements' tasks are made when the list is there, in a workflow inside the task, and are named by key:
    /// `page[/index.html]`, or by place. Options hold for each of them. If some fail, the others go on, and then the map
    /// fails; a retry runs only those again, and another list only changes which there are.
    @discardableResult
    public func map<Element: Sendable, Output: Sendable>(
        _ name: String, over list: TaskRef<[Element]>, limit: Int? = nil, options: TaskOptions = .init(),
        key: (@Sendable (Element) -> String)? = nil,
        body: @escaping @Sendable (Element) async throws -> Output
    ) throws -> TaskRef<[Output]> {
        try TaskRef(addMap(name, over: list, limit, options, key, body))
    }

    /// Adds a task that waits for a list, and has what became of each of its elements, and doesn't fail with them.
    ///
    /// As the map over a list that is waited for.
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
        let own = self.options
        let settings = WorkflowOptions(
            maximumConcurrency: own.maximumConcurrency, grace: own.grace, watchdog: own.watchdog,
            keptAttempts: own.keptAttempts, clock: own.clock)
        let pool = try pool(of: limit, name)
        try check(options, name)
        let task = MapTask(
            name, over: list, limit: pool, options: options, key: key, collectsFailures: collectsFailures,
            inside: settings, body: body)
        return try add(task, prerequisites: [list.task])
    }

    private func pool(of limit: Int?, _ name: String) throws -> ConcurrencyPool? {
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
        // Looked at before anything is added, so that a refusal leaves nothing behind.
        try check(own, name)
        let list = Array(elements)
        let parts: [TaskRef<Output>] = try list.enumerated().map { index, element in
            TaskRef(home, try insert("\(name)[\(index)]", work(element), own.made(for: { element })))
        }
        core.look { $0.rare.lists.add(parts.map(\.index)) { list[$0] } }
        return parts
    }

    private func gather<Output: Sendable>(
        _ name: String, _ parts: [TaskRef<Output>]
    ) throws -> TaskRef<[Output]> {
        try join(name, parts) {
            try parts.enumerated().map { index, part in
                do {
                    return try part.allowingFailure.readValue().get()
                } catch {
                    throw WorkflowError(
                        .elementFailed, "\(name)[\(index)]", "element \(index) has failed", underlying: error
                    )
                }
            }
        }
    }

    /// A task that runs when all parts have ended, failed ones too.
    private func join<Output: Sendable, Joined: Sendable>(
        _ name: String, _ parts: [TaskRef<Output>], _ body: @escaping @Sendable () throws -> Joined
    ) throws -> TaskRef<Joined> {
        let places = parts.map(\.index)
        return try places.withUnsafeBufferPointer {
            let number = try insert(
                name, TaskWork(Joined.self) { try body() }, TaskOptions(), prerequisites: $0,
                allowing: Set(places)
            )
            return TaskRef(home, number)
        }
    }
}
