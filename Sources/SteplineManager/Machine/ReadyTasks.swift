/// Who could begin and who may: the line, the slots, the lanes, pause and suspension.
struct ReadyTasks {
    /// Who is on a lane, and who waits for it.
    private struct Lane {
        var taken = 0
        var waiting = ReadyLine()
    }

    private var line = ReadyLine()
    /// Those that serve a run: ready in spite of suspension and pause.
    private var serving = ReadyLine()
    private var lanes: [TaskLane: Lane] = [:]
    /// How many bodies count.
    private(set) var live = 0
    /// How many runs suspend the line.
    private var suspensions = 0
    /// How many bodies may count; nil: any number.
    var limit: Int?
    var isPaused = false

    init(limit: Int?) { self.limit = limit }

    var isSuspended: Bool { suspensions > 0 }

    /// Whether nothing begins any more unless the limit, or that of a task's lane, is changed.
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
        if record.stand.isParked, let lane = record.stand.lane {
            record.stand.isParked = false
            lanes[lane]?.waiting.remove(record, at: place)
        } else if record.terms.reactor != nil {
            serving.remove(record, at: place)
        } else {
            line.remove(record, at: place)
            // It may have been let into the line as its lane became free, and now won't take it.
            if let lane = record.stand.lane { comeUp(on: lane) }
        }
    }

    /// The next that may begin, which has its slot and its lane then.
    mutating func takeNext() -> TaskRecord? {
        while live < limit ?? .max {
            guard let record = serving.popFirst() ?? nextInLine() else { return nil }
            record.stand.place = nil
            guard record.terms.reactor != nil || takeLane(record) else { continue }
            live += 1
            return record
        }
        return nil
    }

    private mutating func nextInLine() -> TaskRecord? {
        guard !isPaused, suspensions == 0, !line.isEmpty else { return nil }
        return line.popFirst()
    }

    mutating func suspend() -> Bool {
        suspensions += 1
        return suspensions == 1
    }

    mutating func unsuspend() -> Bool {
        suspensions -= 1
        return suspensions == 0
    }

    // MARK: Slots

    /// A body is over, or nobody waits for it any more.
    mutating func leave(_ record: TaskRecord) {
        if record.stand.lends == 0 { live -= 1 }
        record.stand.lends = 0
        leaveLane(record)
    }

    /// A body waits for another task of its manager: its slot is free meanwhile.
    mutating func lend(_ record: TaskRecord) {
        record.stand.lends += 1
        if record.stand.lends == 1 { live -= 1 }
    }

    mutating func takeBack(_ record: TaskRecord) {
        guard record.stand.lends > 0 else { return }
        record.stand.lends -= 1
        if record.stand.lends == 0 { live += 1 }
    }

    // MARK: Lanes

    /// How many are on a lane.
    func taken(of lane: TaskLane) -> Int { lanes[lane]?.taken ?? 0 }

    /// Takes a place on the record's lane; else the record waits there, and false is returned.
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

    /// A body has left its lane: the next that waits for it is in line again.
    private mutating func leaveLane(_ record: TaskRecord) {
        guard record.stand.isOnLane, let lane = record.stand.lane else { return }
        record.stand.isOnLane = false
        lanes[lane]?.taken -= 1
        comeUp(on: lane)
    }

    /// The next that waits for a lane is in line again, if the lane has room.
    private mutating func comeUp(on lane: TaskLane) {
        guard let taken = lanes[lane]?.taken, taken < lane.limit else { return }
        if let next = lanes[lane]?.waiting.popFirst() {
            next.stand.isParked = false
            next.stand.place = line.insert(next)
        } else if taken == 0 {
            lanes[lane] = nil
        }
    }
}
