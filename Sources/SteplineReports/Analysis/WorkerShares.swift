import SteplineWorkflow

/// The work of each worker in a run by workers, and the times when it was busy.
struct WorkerShares {
    struct Share {
        let worker: String
        var attempts = 0
        var failures = 0
        /// The total duration of its bodies, in nanoseconds.
        var work: Int64 = 0
        /// The times with at least one running body, in order.
        var busy: [Range<Int64>] = []
    }

    let shares: [Share]
    /// The time from the first start to the last end of any attempt.
    let span: Range<Int64>

    /// Makes the shares; nil if no worker ran an attempt.
    init?(_ graph: WorkflowGraph) {
        let attempts = graph.tasks.lazy.flatMap(\.attempts).filter { $0.worker != nil }
            .sorted { $0.beginTime < $1.beginTime }
        guard let first = attempts.first else { return nil }
        var shares: [String: Share] = [:]
        var last = first.endTime
        for attempt in attempts {
            guard let worker = attempt.worker else { continue }
            last = max(last, attempt.endTime)
            shares[worker, default: Share(worker: worker)].add(attempt)
        }
        self.shares = shares.values.sorted { $0.worker < $1.worker }
        span = first.beginTime..<max(last, first.beginTime + 1)
    }

    /// Returns the busy times of a worker scaled to 0…`width`; times that touch after scaling are merged.
    func lanes(of share: Share, width: Int64) -> [Range<Int64>] {
        let length = Double(span.upperBound - span.lowerBound)
        func place(_ time: Int64) -> Int64 {
            Int64(Double(time - span.lowerBound) / length * Double(width))
        }
        var lanes: [Range<Int64>] = []
        for range in share.busy {
            let begin = min(place(range.lowerBound), width - 1)
            let end = max(place(range.upperBound), begin + 1)
            if let last = lanes.last, begin <= last.upperBound {
                lanes[lanes.count - 1] = last.lowerBound..<max(last.upperBound, end)
            } else {
                lanes.append(begin..<end)
            }
        }
        return lanes
    }
}

extension WorkerShares.Share {
    fileprivate mutating func add(_ attempt: AttemptRecord) {
        attempts += 1
        if case .failed = attempt.ending { failures += 1 }
        let end = max(attempt.beginTime, attempt.endTime)
        work += end - attempt.beginTime
        if let last = busy.last, attempt.beginTime <= last.upperBound {
            busy[busy.count - 1] = last.lowerBound..<max(last.upperBound, end)
        } else {
            busy.append(attempt.beginTime..<end)
        }
    }
}
