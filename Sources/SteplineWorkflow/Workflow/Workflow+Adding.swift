import SteplineSupport

extension Workflow {
    /// Adds a task, which becomes a dependent of its prerequisites; relations are fixed from then on.
    ///
    /// Starts nothing, except in a running workflow, where a task whose prerequisites are satisfied starts. A
    /// failure of those in `allowingFailureOf` doesn't keep it from running.
    ///
    /// - Parameters:
    ///   - task: The task, which must not belong to a workflow.
    ///   - prerequisites: The prerequisites without keys.
    ///   - keyedPrerequisites: The prerequisites by key.
    ///   - allowed: The prerequisites whose failure doesn't prevent the task from running.
    /// - Returns: The task.
    /// - Throws: A ``WorkflowError`` that names the mistake; task and workflow are then unchanged.
    @discardableResult
    public func add<T: WorkflowTask>(
        _ task: T, prerequisites: [WorkflowTask] = [],
        keyedPrerequisites: [PrerequisiteKey: WorkflowTask] = [:],
        allowingFailureOf allowed: [WorkflowTask] = []
    ) throws -> T {
        let given = try reserve(task)
        do {
            try link(task, given, prerequisites, keyedPrerequisites, allowed)
            return task
        } catch {
            // Before the reservation ends: another thread may add the task again at once.
            task.hasNotJoined()
            task.face.withLock { face in
                face.owner = nil
                face.isReserved = false
            }
            throw error
        }
    }

    /// The facts of a task's object when it is added.
    private struct Given {
        let name: String
        let options: TaskOptions
        let isWatched: Bool
        let hasQueue: Bool
        /// Held until after the lock, as it may be the last reference.
        let delegate: AnyObject?
    }

    /// Marks a task as this workflow's, so that nobody else adds it at the same time.
    private func reserve(_ task: WorkflowTask) throws -> Given {
        let (other, given) = task.face.withLock { face -> (WorkflowCore?, Given) in
            let extras = face.extras
            let delegate = extras?.delegate
            let given = Given(
                name: face.name, options: face.options,
                isWatched: delegate != nil || extras?.listeners.isEmpty == false,
                hasQueue: extras?.queue != nil, delegate: delegate)
            if let owner = face.owner { return (owner.core, given) }
            face.owner = core
            // Until the machine has the task, `TaskFace.core` is nil: no message reaches a task that is half added.
            face.isReserved = true
            return (nil, given)
        }
        guard let other else { return given }
        throw other === core
            ? WorkflowError(.alreadyAdded, task.name, "is in \(name) already")
            : WorkflowError(.belongsToAnotherWorkflow, task.name, "belongs to another workflow")
    }

    /// Adds the task with its prerequisites.
    private func link(
        _ task: WorkflowTask, _ given: Given, _ prerequisites: [WorkflowTask],
        _ keyed: [PrerequisiteKey: WorkflowTask], _ allowed: [WorkflowTask]
    ) throws {
        var new = ObjectTraits(traits: task.traits)
        new.isMap = (task as? SubworkflowTask)?.isTransparent == true
        if given.isWatched { new.traits.insert(.watched) }
        if task.hasHooks { new.traits.insert(.hasHooks) }
        // A condition has no body that a queue could run.
        if given.hasQueue, !new.traits.contains(.condition) { new.traits.insert(.isExternal) }
        if let condition = task as? ExternalConditionTask {
            new.failsUnfulfilled = condition.whenUnfulfilled == .fail
            new.isDelay = condition.isDelay
        }
        var places: [Int32] = []
        if !prerequisites.isEmpty {
            places = distinct(try prerequisites.map { try place(of: $0, for: task) })
        }
        if !keyed.isEmpty {
            new.keys = try keyed.mapValues { try place(of: $0, for: task) }
            let underKeys = Set(new.keys.values)
            // A task under a key and without one counts once, under its key.
            places.removeAll { underKeys.contains($0) }
            new.unkeyed = places
            // Sorted, because a dictionary has no order.
            places += underKeys.sorted()
        }
        let allowing = try allowed.isEmpty ? nil : Set(allowed.map { try place(of: $0, for: task) })
        if let allowing, let stranger = allowing.subtracting(places).first {
            let strangerName = core.look { $0.name(stranger) }
            throw WorkflowError(
                .notAPrerequisite, title(of: task),
                "\(strangerName) is allowed to fail, but is no prerequisite"
            )
        }
        let required = task.requiredPrerequisiteKeys
        let missing = required.isEmpty ? [] : required.subtracting(keyed.keys)
        if !missing.isEmpty {
            let names = missing.map { "\"\($0)\"" }.sorted().joined(separator: ", ")
            throw WorkflowError(
                .missingPrerequisiteKeys, title(of: task), "needs prerequisites under \(names)")
        }
        try check(given.options, title(of: task))
        // Last of the checks: a subworkflow task claims its workflow here, and `hasNotJoined` must release it.
        try task.willJoin(core)
        try insert(task, given, new, places, allowing)
    }

    private func insert(
        _ task: WorkflowTask, _ given: Given, _ new: ObjectTraits, _ places: [Int32],
        _ allowing: Set<Int32>?
    ) throws {
        let refusal = places.withUnsafeBufferPointer { places in
            core.change { machine, turn -> Refusal? in
                if let refusal = machine.refusal(of: given.name, after: places, isCleanup: false) {
                    return refusal
                }
                // The lock of a task's face is only ever taken last, and nothing is called under it.
                let past = task.face.withLock { face in
                    face.number = machine.tasks.count
                    face.isReserved = false
                    defer { face.past = nil }
                    return face.past?.past
                }
                machine.add(
                    task, given.name, given.options, new, after: places, allowing: allowing, past: past, &turn
                )
                return nil
            }
        }
        // After unlock: the message reads names, which takes the machine's lock again.
        if let refusal { throw error(refusal, of: title(of: task)) }
    }

    /// A refusal in words.
    func error(_ refusal: Refusal, of task: String) -> WorkflowError {
        switch refusal {
        case .nameIsTaken: WorkflowError(.duplicateName, task, "the name is taken in \(name)")
        case .follows(let cleanup):
            WorkflowError(.cleanupPrerequisite, task, "can't depend on the cleanup \(cleanup)")
        case .followsForgotten(let gone):
            WorkflowError(.forgotten, task, "its prerequisite \(gone) is forgotten")
        case .runsAlone:
            WorkflowError(
                .ownedElsewhere, task,
                "a body that a worker runs can't add tasks, as the run's owner has them all")
        case .isKept:
            WorkflowError(
                .addedDuringRun, task,
                "\(KeptBody.currentName.map { "the body of \($0)" } ?? "a callback") added it to the durable run of \(name); "
                    + "a resumed run would lack it, so add it where the workflow is built, or use a map over a result"
            )
        }
    }

    private func place(of prerequisite: WorkflowTask, for task: WorkflowTask) throws
        -> Int32
    {
        if prerequisite === task {
            throw WorkflowError(.selfPrerequisite, title(of: task), "can't be its own prerequisite")
        }
        if let place = prerequisite.place(in: core) { return place }
        throw WorkflowError(
            .foreignPrerequisite, title(of: task), "its prerequisite \(prerequisite.name) is not in \(name)"
        )
    }

    /// The name of a task that may be half added: the one given, or its class.
    private func title(of task: WorkflowTask) -> String {
        let given = task.face.withLock { $0.name }
        return given.isEmpty ? "\(type(of: task))" : given
    }

    func check(_ options: TaskOptions, _ taskName: @autoclosure () -> String) throws {
        guard !options.isDefault else { return }
        if let fault = options.fault { throw WorkflowError(.invalidOption, taskName(), fault) }
        for (pool, weight) in options.pools where weight > pool.capacity {
            throw WorkflowError(
                .poolTooSmall, taskName(), "wants \(weight) of pool \(pool.name), which has \(pool.capacity)"
            )
        }
    }
}

/// The same numbers, each once, in the order given.
func distinct(_ places: [Int32]) -> [Int32] {
    guard places.count > 1 else { return places }
    var seen: Set<Int32> = []
    return places.filter { seen.insert($0).inserted }
}
