import SteplineSupport

extension WorkflowTask {
    /// All prerequisites, each once: in the given order, then those with keys.
    public var prerequisites: [WorkflowTask] {
        home.map { core, place in core.tasks { $0.prerequisites(place) } } ?? []
    }

    /// The prerequisites without a key.
    public var unkeyedPrerequisites: [WorkflowTask] {
        home.map { core, place in core.tasks { $0.unkeyedPrerequisites(place) } } ?? []
    }

    /// The prerequisites by key.
    public var keyedPrerequisites: [PrerequisiteKey: WorkflowTask] {
        home.map { core, place in core.keyedPrerequisites(place) } ?? [:]
    }

    /// The tasks with this one as a direct prerequisite.
    public var dependents: [WorkflowTask] {
        home.map { core, place in core.tasks { $0.graph.dependents(of: place) } } ?? []
    }

    /// The result of the first prerequisite.
    public var anyPrerequisiteResult: (any Sendable)? { allPrerequisiteResults.first ?? nil }

    /// The results of all prerequisites.
    public var allPrerequisiteResults: [(any Sendable)?] { results { $0.prerequisites($1) } }

    /// The results of all prerequisites without a key.
    public var allUnkeyedPrerequisiteResults: [(any Sendable)?] { results { $0.unkeyedPrerequisites($1) } }

    /// The results of the prerequisites with keys, by key.
    public var keyedPrerequisiteResults: [PrerequisiteKey: (any Sendable)?] {
        guard let (core, number) = home else { return [:] }
        let results = core.look { machine in
            (machine.rare.keys[number] ?? [:]).mapValues { machine.readResult($0) }
        }
        // Unpacking may read a store, so it happens without the lock.
        return results.mapValues(KeptResult.unpacked)
    }

    /// The results of all prerequisites, by task.
    public var prerequisiteResultsByTask: [WorkflowTask: (any Sendable)?] {
        // Each result is read by itself: unlike the lists above, the values may be from different moments. Each
        // prerequisite is listed once, so the closure never decides.
        Dictionary(prerequisites.map { ($0, $0.result) }) { first, _ in first }
    }

    /// Returns the result of the prerequisite with a key; nil also without such a prerequisite.
    public func prerequisiteResult(forKey key: PrerequisiteKey) -> (any Sendable)? {
        guard let (core, own) = home, let number = core.prerequisite(of: own, under: key) else { return nil }
        return KeptResult.unpacked(core.look { $0.readResult(number) })
    }

    /// Returns the result of the prerequisite with a key, as a given type.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - type: The expected type.
    /// - Returns: The result.
    /// - Throws: `.noPrerequisite`, `.noResult` or `.wrongType`.
    public func prerequisiteResult<Value: Sendable>(
        forKey key: PrerequisiteKey, as type: Value.Type = Value.self
    ) throws -> Value {
        guard let (core, own) = home, let number = core.prerequisite(of: own, under: key)
        else { throw WorkflowError(.noPrerequisite, name, "there is no prerequisite under \"\(key)\"") }
        guard let value = KeptResult.unpacked(core.look({ $0.readResult(number) })) else {
            throw WorkflowError(.noResult, name, "the prerequisite under \"\(key)\" has no result")
        }
        if let value = value as? Value { return value }
        throw WorkflowError(
            .wrongType, name,
            "the result under \"\(key)\" is \(Swift.type(of: value)), but \(Value.self) is expected"
        )
    }

    private func results(_ choose: (inout WorkflowMachine, Int32) -> [Int32]) -> [(any Sendable)?] {
        guard let (core, number) = home else { return [] }
        let results = core.look { machine in choose(&machine, number).map { machine.readResult($0) } }
        return results.map(KeptResult.unpacked)
    }
}

extension WorkflowMachine {
    /// Returns the result of a task, and records a missing one.
    fileprivate func readResult(_ number: Int32) -> (any Sendable)? {
        // Without this mark, a check would judge a closure by a value that it made from a missing result.
        if tasks[number].state != .finished { MissingResults.note() }
        return tasks.result(number)
    }
}

extension WorkflowCore {
    /// Returns the prerequisite with a key; comparing keys is user code and happens without the lock.
    fileprivate func prerequisite(of number: Int32, under key: PrerequisiteKey) -> Int32? {
        let keys = look { $0.rare.keys[number] }
        return keys?[key]
    }
}

extension TaskAttempt {
    /// The result of the first prerequisite.
    public var anyPrerequisiteResult: (any Sendable)? { task.anyPrerequisiteResult }

    /// The results of all prerequisites.
    public var allPrerequisiteResults: [(any Sendable)?] { task.allPrerequisiteResults }

    /// The results of the prerequisites with keys, by key.
    public var keyedPrerequisiteResults: [PrerequisiteKey: (any Sendable)?] { task.keyedPrerequisiteResults }

    /// Returns the result of the prerequisite with a key; nil also without such a prerequisite.
    public func prerequisiteResult(forKey key: PrerequisiteKey) -> (any Sendable)? {
        task.prerequisiteResult(forKey: key)
    }

    /// Returns the result of the prerequisite with a key, as a given type.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - type: The expected type.
    /// - Returns: The result.
    /// - Throws: `.noPrerequisite`, `.noResult` or `.wrongType`.
    public func prerequisiteResult<Value: Sendable>(
        forKey key: PrerequisiteKey, as type: Value.Type = Value.self
    ) throws -> Value {
        try task.prerequisiteResult(forKey: key, as: type)
    }
}
