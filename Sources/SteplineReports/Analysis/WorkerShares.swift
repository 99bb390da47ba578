import SteplineWorkflow

/// What each worker has done of a run that workers were handed, and when it was at it.
struct WorkerShares {
    struct Share {
        let worker: String
        var attempts = 0
        var failures = 0
        /// How long its bodies took, all together.
        var work: Int64 = 0
        /// When it had a body at least, in their order.
        var busy: [Range<Int64>] = []
    }

    let shares: [Share]
    /// From the first begin to the last end of any.
    let span: Range<Int64>

    /// Nil if no worker ran anything.
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

    /// Where between 0 and `width` a worker was busy; what lies closer together than one is one.
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
