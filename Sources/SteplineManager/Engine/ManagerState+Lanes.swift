extension ManagerState {
    /// Takes a place on the record's lane; else the record waits there, and false is returned.
    mutating func takeLane(_ record: TaskRecord) -> Bool {
        guard let lane = record.lane else { return true }
        if lanes[lane, default: LaneState()].taken < lane.limit {
            lanes[lane, default: LaneState()].taken += 1
            record.isOnLane = true
            return true
        }
        record.isParked = true
        lanes[lane, default: LaneState()].waiting.insert(record)
        return false
    }

    /// A body has left its lane: the next that waits for it may begin.
    mutating func leaveLane(_ record: TaskRecord) {
        guard record.isOnLane, let lane = record.lane else { return }
        record.isOnLane = false
        lanes[lane]?.taken -= 1
        if let next = lanes[lane]?.waiting.popFirst() {
            next.isParked = false
            ready.insert(next)
        } else if lanes[lane]?.taken == 0 {
            lanes[lane] = nil
        }
    }

    /// Takes a record out of those that could begin.
    mutating func dequeue(_ record: TaskRecord) {
        if record.isParked, let lane = record.lane {
            record.isParked = false
            lanes[lane]?.waiting.leave(record)
        } else if record.exemptReactor != nil {
            exempt.leave(record)
        } else {
            ready.leave(record)
        }
    }
}
