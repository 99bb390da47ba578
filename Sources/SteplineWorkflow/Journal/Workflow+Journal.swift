import SteplineEngine
package import SteplineSupport

extension Workflow {
    /// The faults that are planned for its runs.
    package var faults: FaultPlan { core.faults }

    /// Describes a task to a journal.
    package func journalTask(_ number: Int) -> JournalTask {
        var (task, object, element, listed, joined, hasElements) = core.look { machine in
            let number = Int32(number)
            return (
                machine.journalTask(number), machine.object(number),
                machine.rare.options[number]?.element, machine.rare.lists.element(of: number),
                machine.rare.joins[number]?.list, machine.hasElements
            )
        }
        // Called after unlock, as this is the user's code.
        task.element = listed.map {
            ListedElement(map: $0.list.map, type: $0.list.type, value: $0.list.element($0.place))
        }
        task.elementType = element.map { type(of: $0()) }
        if task.resultType == nil { task.resultType = object?.resultType }
        // The type that a restored task was added with is replaced by its result.
        if object == nil, hasElements, let growth = core.surroundings.withLock({ $0.enclosingTask })?.growth {
            task.resultType = growth.output
            task.growth = growth
        }
        task.elementList = joined
        if let object { task.produces = object.produces }
        if let map = object as? SubworkflowTask {
            task.elementType = map.cachedElementType
            task.elementList = map.elementList
            task.growth = map.growth
            task.mapped = map.mapped
        }
        return task
    }

    /// Gives tasks the names of their steps, before they begin.
    package func rename(_ names: [(number: Int, name: String)]) {
        let objects = core.look { machine in
            names.compactMap { number, name in
                machine.names.rename(Int32(number), name)
                return machine.object(Int32(number)).map { ($0, name) }
            }
        }
        // An object has a copy of its name, and a lock of its own.
        for (task, name) in objects { task.rename(name) }
    }

    /// Whether nothing has begun or ended in it but conditions that were fulfilled beforehand.
    package var isUntouched: Bool { core.look { $0.isUntouched } }

    /// The reason for which the run was cancelled last as a whole; `.requested` if it wasn't.
    package var lastCancellation: CancellationReason { core.look { $0.run.cancellation } }

    /// Whether the whole workflow fails if this task fails; see `WorkflowMachine.isFatal`.
    package func isFatal(_ number: Int) -> Bool { core.look { $0.isFatal(Int32(number)) } }

    /// Restores the tasks, and sets the journal that records all changes from now on.
    ///
    /// With `isCareful`, bodies begin when their begin is recorded. With `isRelaxed`, ends count before they are
    /// recorded.
    ///
    /// - Returns: False if the workflow has another journal, or a task has begun or ended; nothing has changed then.
    package func begin(
        _ journal: any TaskJournal, restoring tasks: [RestoredTask], isCareful: Bool, isRelaxed: Bool
    ) -> Bool {
        let isElsewhere = journal.hasBodiesElsewhere
        return begin(journal) {
            $0.restore(tasks, isCareful: isCareful, isRelaxed: isRelaxed, isElsewhere: isElsewhere, &$1)
        }
    }

    /// Sets the journal, unless the workflow has one, or a task has begun or ended.
    func begin(
        _ journal: any TaskJournal, _ restore: (inout WorkflowMachine, inout WorkflowTurn) -> Void
    ) -> Bool {
        // The journal is in place before the machine restores: after that no change may pass without it.
        let isFirst = core.surroundings.withLock { surroundings in
            guard surroundings.journal == nil else { return false }
            surroundings.journal = journal
            return true
        }
        guard isFirst else { return false }
        // Before the transaction: from then on every entry needs the time.
        core.readClockAlways()
        let begins = core.change { machine, turn in
            guard machine.isUntouched else { return false }
            restore(&machine, &turn)
            return true
        }
        if !begins { core.releaseJournal() }
        return begins
    }

    /// Awaited entries are recorded: their ends count now, and their bodies begin.
    package func wasKept(_ entries: some Sequence<JournalEntry>) {
        var jobs: [TaskJob] = []
        core.change { machine, turn in
            for entry in entries {
                if let job = entry.job {
                    jobs.append(job)
                } else {
                    machine.wasKept(entry, &turn)
                }
            }
        }
        // After unlock and on other threads: this one is the journal's, and mustn't run a body.
        for job in jobs { core.runElsewhere(job) }
    }

    /// Entries can't be recorded: their ends don't count, and the workflow is cancelled.
    package func wasNotKept(_ entries: some Sequence<JournalEntry>) {
        guard core.look({ $0.journaling != nil }) else {
            // The journal was ended: bodies that waited for their entries begin, or are over if they were stopped.
            for case let job? in entries.map(\.job) { core.runElsewhere(job) }
            return
        }
        cancel(.storeFailed, includingCleanups: true)
        takeBack(entries, areRefused: false)
    }

    /// The store refused entries: it has later attempts, or other ends of these attempts.
    package func wasRefused(_ entries: some Sequence<JournalEntry>) { takeBack(entries, areRefused: true) }

    private func takeBack(_ entries: some Sequence<JournalEntry>, areRefused: Bool) {
        core.change { machine, turn in
            for entry in entries {
                if let job = entry.job {
                    // The body waited for the record of its begin, and never begins.
                    machine.bodyReturned(job, isOver: true, &turn)
                } else {
                    let (number, attempt) = (Int32(entry.number), UInt32(truncatingIfNeeded: entry.attempt))
                    if areRefused {
                        machine.wasRefused(number, attempt, &turn)
                    } else {
                        machine.wasNotKept(number, attempt, &turn)
                    }
                }
            }
        }
    }

    /// The result of an entry can't be stored: the attempt fails with that error.
    package func cannotKeep(_ entry: JournalEntry, _ error: any Error) {
        let failure = TaskFailure(error)
        core.change {
            $0.cannotKeep(Int32(entry.number), UInt32(truncatingIfNeeded: entry.attempt), failure, &$1)
        }
    }

    /// Begins no attempts until ``proceed()``; those that have begun go on.
    package func pause() { core.change { machine, turn in machine.pause(&turn) } }

    /// Begins attempts again.
    package func proceed() { core.change { machine, turn in machine.proceed(&turn) } }

    /// Fulfils the condition of that number, unless it is cancelled and `retriesCancelled` is false.
    ///
    /// Within a task that doesn't run, nothing begins: the condition finishes when the task runs.
    package func fulfill(_ number: Int, with value: (any Sendable)?, retriesCancelled: Bool) {
        let number = Int32(number)
        // If the task begins meanwhile, it starts the condition.
        let around = core.surroundings.withLock { $0.enclosingTask }?.state
        core.change { machine, turn in
            guard retriesCancelled || machine.tasks[number].state != .cancelled else { return }
            _ = machine.fulfill(number, with: value, waitingFor: around, &turn)
        }
    }

    /// Removes that journal; another one stays.
    package func end(_ journal: any TaskJournal) {
        guard core.surroundings.withLock({ $0.journal === journal }) else { return }
        // The machine first: after this transaction it makes no entries, so the journal can be released.
        core.change { $0.endJournal(&$1) }
        core.releaseJournal()
    }
}

extension WorkflowCore {
    /// Removes the journal, and releases it after unlock.
    fileprivate func releaseJournal() {
        let journal = surroundings.withLock { $0.journal.take() }
        withExtendedLifetime(journal) {}
    }

    /// Restores tasks that were added to a durable run.
    ///
    /// - Returns: False if the workflow has left that generation, and nothing was done.
    func restoreAdded(from number: Int, except others: Set<Int>, in generation: UInt64) -> Bool {
        guard let journal = surroundings.withLock({ $0.journal }) else { return true }
        // Reads the store, so it isn't called under the lock. The generation shows if a message came meanwhile.
        let tasks = journal.restoredTasks(number..<look { Int($0.tasks.count) }).filter {
            !others.contains($0.number)
        }
        if tasks.isEmpty { return true }
        return change { machine, turn in
            guard machine.generation == generation else { return false }
            machine.restore(tasks, &turn)
            return true
        }
    }
}

extension CancellationReason {
    /// The store can't keep the ends of the tasks.
    package static let storeFailed = CancellationReason(.storeFailed, "the store can't keep the run")
}
