import SteplineSupport

extension WorkflowTask {
    /// All prerequisites, keyed ones included, each once, in the order in which they were given; those under keys follow.
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

    /// The tasks that have this one as a direct prerequisite.
    public var dependents: [WorkflowTask] {
        home.map { core, place in core.tasks { $0.graph.dependents(of: place) } } ?? []
    }

    /// The first prerequisite's result.
    public var anyPrerequisiteResult: (any Sendable)? { allPrerequisiteResults.first ?? nil }

    /// The result of each prerequisite.
    public var allPrerequisiteResults: [(any Sendable)?] { results { $0.prerequisites($1) } }

    /// The result of each prerequisite without a key.
    public var allUnkeyedPrerequisiteResults: [(any Sendable)?] { results { $0.unkeyedPrerequisites($1) } }

    /// The result of each keyed prerequisite, by key.
    public var keyedPrerequisiteResults: [PrerequisiteKey: (any Sendable)?] {
        guard let (core, number) = home else { return [:] }
        let results = core.look { machine in
            (machine.rare.keys[number] ?? [:]).mapValues { machine.readResult($0) }
        }
        return results.mapValues(KeptResult.unpacked)
    }

    /// The result of each prerequisite, by task.
    public var prerequisiteResultsByTask: [WorkflowTask: (any Sendable)?] {
        Dictionary(prerequisites.map { ($0, $0.result) }) { first, _ in first }
    }

    /// The result of the prerequisite under a key; nil also if there is none.
    public func prerequisiteResult(forKey key: PrerequisiteKey) -> (any Sendable)? {
        guard let (core, own) = home, let number = core.prerequisite(of: own, under: key) else { return nil }
        return KeptResult.unpacked(core.look { $0.readResult(number) })
    }

    /// The result of the prerequisite under a key, of that type.
    ///
    /// Throws `.noPrerequisite`, `.noResult` or `.wrongType`.
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
            "the result under \"\(key)\" is \(Swift.type(of: value)), but \(Value.self) is wanted"
        )
    }

    private func results(_ choose: (inout WorkflowMachine, Int32) -> [Int32]) -> [(any Sendable)?] {
        guard let (core, number) = home else { return [] }
        let results = core.look { machine in choose(&machine, number).map { machine.readResult($0) } }
        return results.map(KeptResult.unpacked)
    }
}

extension WorkflowMachine {
    /// Returns the result of a task, and notes if the task has none yet.
    fileprivate func readResult(_ number: Int32) -> (any Sendable)? {
        if tasks[number].state != .finished { MissingResults.note() }
        return tasks.result(number)
    }
}

extension WorkflowCore {
    /// Which prerequisite is under a key; the keys are users' code and asked outside the lock.
    fileprivate func prerequisite(of number: Int32, under key: PrerequisiteKey) -> Int32? {
        let keys = look { $0.rare.keys[number] }
        return keys?[key]
    }
}

extension TaskAttempt {
    /// The first prerequisite's result.
    public var anyPrerequisiteResult: (any Sendable)? { task.anyPrerequisiteResult }

    /// The result of each prerequisite.
    public var allPrerequisiteResults: [(any Sendable)?] { task.allPrerequisiteResults }

    /// The result of each keyed prerequisite, by key.
    public var keyedPrerequisiteResults: [PrerequisiteKey: (any Sendable)?] { task.keyedPrerequisiteResults }

    /// The result of the prerequisite under a key; nil also if there is none.
    public func prerequisiteResult(forKey key: PrerequisiteKey) -> (any Sendable)? {
        task.prerequisiteResult(forKey: key)
    }

    /// The result of the prerequisite under a key, of that type.
    ///
    /// Throws `.noPrerequisite`, `.noResult` or `.wrongType`.
    public func prerequisiteResult<Value: Sendable>(
        forKey key: PrerequisiteKey, as type: Value.Type = Value.self
    ) throws -> Value {
        try task.prerequisiteResult(forKey: key, as: type)
    }
}
