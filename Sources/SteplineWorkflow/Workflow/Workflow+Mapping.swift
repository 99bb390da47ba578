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
        try gather(name, each(name, elements, limit, options) { element in TaskWork { try body(element) } })
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
            each(name, elements, limit, options) { element in TaskWork(async: { try await body(element) }) }
        )
    }

    /// Adds a task for each element, and one behind them that has what became of each, and doesn't fail.
    @discardableResult
    public func mapCollectingFailures<Element: Sendable, Output: Sendable>(
        _ name: String, over elements: some Collection<Element>, limit: Int? = nil,
        options: TaskOptions = .init(), body: @escaping @Sendable (Element) async throws -> Output
    ) throws -> TaskRef<[Result<Output, any Error>]> {
        let parts: [TaskRef<Output>] = try each(name, elements, limit, options) { element in
            TaskWork(async: { try await body(element) })
        }
        return try join(name, parts) { try parts.map { try $0.allowingFailure.readValue() } }
    }

    /// Adds a task that waits for a list, runs the closure for each of its elements, and has their results.
    ///
    /// The elements' tasks are made when the list is there, in a workflow of their own, anew for each attempt.
    @discardableResult
    public func map<Element: Sendable, Output: Sendable>(
        _ name: String, over list: TaskRef<[Element]>, limit: Int? = nil, options: TaskOptions = .init(),
        body: @escaping @Sendable (Element) async throws -> Output
    ) throws -> TaskRef<[Output]> {
        let settings = self.options
        return try add(name, after: list, options: options) {
            (elements: [Element]) async throws -> [Output] in
            let inner = Workflow(name, options: WorkflowOptions(grace: settings.grace, clock: settings.clock))
            let all = try inner.map(name, over: elements, limit: limit, body: body)
            do {
                try await inner.run()
            } catch let error as WorkflowError where error.code == .tasksFailed {
                throw all.task.error ?? error
            }
            return try all.readValue()
        }
    }

    private func each<Element: Sendable, Output: Sendable>(
        _ name: String, _ elements: some Collection<Element>, _ limit: Int?, _ options: TaskOptions,
        _ work: (Element) -> TaskWork
    ) throws -> [TaskRef<Output>] {
        var own = options
        if let limit {
            guard limit >= 1 else { throw WorkflowError(.invalidOption, name, "limit is \(limit)") }
            own.pools[ConcurrencyPool(name, capacity: limit)] = 1
        }
        // Looked at before anything is added, so that a refusal leaves nothing behind.
        try check(own, name)
        return try elements.enumerated().map { index, element in
            TaskRef(core: core, index: try insert("\(name)[\(index)]", work(element), own))
        }
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
                name, TaskWork { try body() }, TaskOptions(), prerequisites: $0, allowing: Set(places)
            )
            return TaskRef(core: core, index: number)
        }
    }
}
