public import SteplineSupport

extension Workflow {
    /// Adds a map whose list grows while it runs: the body of an element adds the elements that it finds.
    ///
    ///     let pages = try workflow.grow("page", from: [start], key: \.absoluteString, limit: 8) { url, more in
    ///         let page = try await load(url)
    ///         more.add(page.links)
    ///         return page.title
    ///     }
    ///
    /// Each key has one element, however often it is found. Elements run in the order in which they were found, breadth
    /// first. What an element finds is added when its attempt finishes, and belongs to this attempt: one that fails
    /// adds nothing. If some elements fail, the other ones continue, and then the map fails; a retry repeats only the
    /// failed ones. A reset starts again from the first elements.
    ///
    /// A durable run stores what an element has found together with its result. The next run goes on with exactly the
    /// elements that were stored, and with more of them if the first elements or the limits have been changed.
    ///
    /// - Parameters:
    ///   - name: The name of the map. The elements' tasks are named by key, such as `page[/index.html]`.
    ///   - elements: The first elements. Of equal keys, the first element counts.
    ///   - key: Returns the key of an element.
    ///   - limit: The maximum number of concurrent elements; nil for no limit.
    ///   - atMost: The maximum number of elements; further ones are ignored. Nil for no limit.
    ///   - depth: The maximum depth: with 1, elements that first elements have found are the last. Nil for no limit.
    ///   - priority: Returns the priority of an element; nil for that of the options.
    ///   - options: The options of each element's task.
    ///   - body: The closure, called for each element with the list to add to.
    /// - Returns: A reference to the map, with the results in the order in which the elements were found.
    /// - Throws: A ``WorkflowError`` if an option or a limit is invalid; the workflow is then unchanged.
    @discardableResult
    public func grow<Element: Sendable, Output: Sendable>(
        _ name: String, from elements: some Collection<Element>, key: @escaping @Sendable (Element) -> String,
        limit: Int? = nil, atMost: Int? = nil, depth: Int? = nil,
        priority: (@Sendable (Element) -> Priority)? = nil, options: TaskOptions = .init(),
        body: @escaping @Sendable (Element, GrowingList<Element>) async throws -> Output
    ) throws -> TaskRef<[Output]> {
        try grow(
            name, from: .elements(Array(elements)), after: [], key, limit, atMost, depth, priority, options,
            body)
    }

    /// Adds a map whose list grows while it runs, from the result of a task.
    ///
    /// If the task runs again, its elements do as well. See the variant for elements that are known beforehand.
    ///
    /// - Parameters:
    ///   - name: The name of the map. The elements' tasks are named by key, such as `page[/index.html]`.
    ///   - list: The task with the first elements. Of equal keys, the first element counts.
    ///   - key: Returns the key of an element.
    ///   - limit: The maximum number of concurrent elements; nil for no limit.
    ///   - atMost: The maximum number of elements; further ones are ignored. Nil for no limit.
    ///   - depth: The maximum depth: with 1, elements that first elements have found are the last. Nil for no limit.
    ///   - priority: Returns the priority of an element; nil for that of the options.
    ///   - options: The options of each element's task.
    ///   - body: The closure, called for each element with the list to add to.
    /// - Returns: A reference to the map, with the results in the order in which the elements were found.
    /// - Throws: A ``WorkflowError`` if the task isn't in this workflow, or an option or a limit is invalid.
    @discardableResult
    public func grow<Element: Sendable, Output: Sendable>(
        _ name: String, from list: TaskRef<[Element]>, key: @escaping @Sendable (Element) -> String,
        limit: Int? = nil, atMost: Int? = nil, depth: Int? = nil,
        priority: (@Sendable (Element) -> Priority)? = nil, options: TaskOptions = .init(),
        body: @escaping @Sendable (Element, GrowingList<Element>) async throws -> Output
    ) throws -> TaskRef<[Output]> {
        try grow(
            name, from: .result(list), after: [list.task], key, limit, atMost, depth, priority, options, body)
    }

    /// Adds a growing map whose elements run in the process that owns a durable run, also if it has workers.
    package func growWithOwner<Element: Sendable, Output: Sendable>(
        _ name: String, from elements: [Element], key: @escaping @Sendable (Element) -> String,
        limit: Int?, atMost: Int?, options: TaskOptions,
        body: @escaping @Sendable (Element, GrowingList<Element>) async throws -> Output
    ) throws -> TaskRef<[Output]> {
        try grow(
            name, from: .elements(elements), after: [], key, limit, atMost, nil, nil, options,
            staysWithOwner: true, body)
    }

    private func grow<Element: Sendable, Output: Sendable>(
        _ name: String, from start: GrowTask<Element, Output>.Start, after prerequisites: [WorkflowTask],
        _ key: @escaping @Sendable (Element) -> String, _ limit: Int?, _ atMost: Int?, _ depth: Int?,
        _ priority: (@Sendable (Element) -> Priority)?, _ options: TaskOptions, staysWithOwner: Bool = false,
        _ body: @escaping @Sendable (Element, GrowingList<Element>) async throws -> Output
    ) throws -> TaskRef<[Output]> {
        if let atMost, atMost < 1 { throw WorkflowError(.invalidOption, name, "atMost is \(atMost)") }
        if let depth, depth < 0 { throw WorkflowError(.invalidOption, name, "depth is \(depth)") }
        var options = options
        // The limit bounds only the elements; the map itself takes no slot.
        if let pool = try pool(of: limit, name) { options.pools[pool] = 1 }
        try check(options, name)
        let task = GrowTask(
            name, from: start, key: key,
            limits: GrowTask.Limits(elements: atMost ?? .max, depth: depth ?? .max), priority: priority,
            options: options, staysWithOwner: staysWithOwner, inside: optionsInside, body: body)
        return try TaskRef(add(task, prerequisites: prerequisites))
    }
}
