/// The ready tasks and their resources: the line, the slots, the lanes, pause and suspension.
///
/// | Place of a record | `stand` | Left by |
/// | --- | --- | --- |
/// | `line` | `place` | `takeNext`, `remove` |
/// | `serving` (tasks of a reactor's run) | `place` | `takeNext`, `remove` |
/// | `lanes[…].waiting` | `place`, `isParked` | a free lane, which returns it to `line` |
/// | running | `isOnLane` if it has a lane | `leave` |
///
/// `live` counts the bodies that occupy slots: running bodies that haven't lent their slot. Tasks of a reactor's run
/// ignore pause, suspension and lanes, but need a slot.
struct ReadyTasks {
    /// The usage of a lane, and the tasks that wait for it.
    private struct Lane {
        var taken = 0
        var waiting = ReadyLine()
    }

    private var line = ReadyLine()
    /// The tasks of reactors' runs, which begin in spite of suspension and pause.
    private var serving = ReadyLine()
    private var lanes: [TaskLane: Lane] = [:]
    /// The number of occupied slots.
    private(set) var live = 0
    /// The number of runs that suspend the line.
    private var suspensions = 0
    /// The number of slots; nil for no limit.
    var limit: Int?
    var isPaused = false

    init(limit: Int?) { self.limit = limit }

    var isSuspended: Bool { suspensions > 0 }

    /// Returns whether the record can't begin unless the limit, or that of its lane, is raised.
    func isShut(for record: TaskRecord) -> Bool { limit == 0 || record.stand.lane?.limit == 0 }

    // MARK: Who is ready

    mutating func add(_ record: TaskRecord) {
        if record.terms.reactor != nil {
            record.stand.place = serving.insert(record)
        } else {
            record.stand.place = line.insert(record)
        }
    }

    mutating func remove(_ record: TaskRecord) {
        guard let place = record.stand.place else { return }
        record.stand.place = nil
        // The place belongs to the lane's queue here, not to the line.
        if record.stand.isParked, let lane = record.stand.lane {
            record.stand.isParked = false
            lanes[lane]?.waiting.remove(record, at: place)
        } else if record.terms.reactor != nil {
            serving.remove(record, at: place)
        } else {
            line.remove(record, at: place)
            // The record may have left the lane's queue for the line, and won't use the lane now.
            if let lane = record.stand.lane { comeUp(on: lane) }
        }
    }

    /// Returns the next task that may begin, which then occupies its slot and lane.
    mutating func takeNext() -> TaskRecord? {
        while live < limit ?? .max {
            guard let record = serving.popFirst() ?? nextInLine() else { return nil }
            record.stand.place = nil
            // The lane is full: the record waits there, and the next record is tried.
            guard record.terms.reactor != nil || takeLane(record) else { continue }
            live += 1
            return record
        }
        return nil
    }

    private mutating func nextInLine() -> TaskRecord? {
        // Only the line is subject to pause and suspension; `serving` was tried before.
        guard !isPaused, suspensions == 0, !line.isEmpty else { return nil }
        return line.popFirst()
    }

    mutating func suspend() -> Bool {
        suspensions += 1
        // Several runs may suspend at once: only the first one changes the state.
        return suspensions == 1
    }

    mutating func unsuspend() -> Bool {
        suspensions -= 1
        return suspensions == 0
    }

    // MARK: Slots

    /// Frees the slot and the lane of a body that ended or was given up.
    mutating func leave(_ record: TaskRecord) {
        // A body that lent its slot occupies none.
        if record.stand.lends == 0 { live -= 1 }
        // A given-up body may still return from its wait: `takeBack` then finds no lend.
        record.stand.lends = 0
        leaveLane(record)
    }

    /// Frees the slot of a body that waits for another task of its manager.
    mutating func lend(_ record: TaskRecord) {
        record.stand.lends += 1
        // Child tasks of one body may wait at the same time: only the first wait frees the slot.
        if record.stand.lends == 1 { live -= 1 }
    }

    /// Occupies the slot again that `lend` has freed; after `leave` it does nothing.
    mutating func takeBack(_ record: TaskRecord) {
        guard record.stand.lends > 0 else { return }
        record.stand.lends -= 1
        // The slot is occupied again without a check: `live` may exceed the limit for a while.
        if record.stand.lends == 0 { live += 1 }
    }

    // MARK: Lanes

    /// Returns the number of bodies on a lane.
    func taken(of lane: TaskLane) -> Int { lanes[lane]?.taken ?? 0 }

    /// Occupies the record's lane; if the lane is full, the record waits there, and the method returns false.
    private mutating func takeLane(_ record: TaskRecord) -> Bool {
        guard let lane = record.stand.lane else { return true }
        if lanes[lane, default: Lane()].taken < lane.limit {
            lanes[lane, default: Lane()].taken += 1
            record.stand.isOnLane = true
            return true
        }
        record.stand.isParked = true
        record.stand.place = lanes[lane, default: Lane()].waiting.insert(record)
        return false
    }

    /// Frees the lane of a body, and returns the next waiting record to the line.
    private mutating func leaveLane(_ record: TaskRecord) {
        guard record.stand.isOnLane, let lane = record.stand.lane else { return }
        record.stand.isOnLane = false
        lanes[lane]?.taken -= 1
        comeUp(on: lane)
    }

    /// Returns the next record that waits for a lane to the line, if the lane has room.
    private mutating func comeUp(on lane: TaskLane) {
        guard let taken = lanes[lane]?.taken, taken < lane.limit else { return }
        if let next = lanes[lane]?.waiting.popFirst() {
            next.stand.isParked = false
            // Inserted by rank and order: the record competes for a slot and the lane again.
            next.stand.place = line.insert(next)
        } else if taken == 0 {
            // The table must not grow with each lane that was ever used, such as each host.
            lanes[lane] = nil
        }
    }
}
