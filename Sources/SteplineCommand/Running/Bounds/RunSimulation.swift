/// Runs a model again on paper: who could begin goes first come, first served, within the bounds.
///
/// O((V + E) log V) for a few kinds of jobs: who wait for the same places wait in one line.
struct RunSimulation {
    private let model: RunModel
    private let lifted: Set<Int>
    private let liftedWaits: Set<FlowWaits.Cause>

    private var free: [Int]
    private var missing: [Int]
    private var after: [[Int]]
    private var lines: [[Int: Int]: Line] = [:]
    private var running = TimeHeap()
    private var now: Int64 = 0
    private var arrivals = 0
    /// The job that each waited for until the last.
    private(set) var lastBefore: [Int?]
    private(set) var ends: [Int64]

    private struct Line {
        var jobs: [(job: Int, arrival: Int)] = []
        var next = 0
        var first: (job: Int, arrival: Int)? { next < jobs.count ? jobs[next] : nil }
    }

    /// Runs it without the bounds of these positions, and without some waits.
    init(
        _ model: RunModel, lifting lifted: Set<Int> = [],
        withoutWaits liftedWaits: Set<FlowWaits.Cause> = []
    ) {
        self.model = model
        self.lifted = lifted
        self.liftedWaits = liftedWaits
        free = model.bounds.map(\.capacity)
        missing = model.jobs.map(\.before.count)
        after = Array(repeating: [], count: model.jobs.count)
        lastBefore = Array(repeating: nil, count: model.jobs.count)
        ends = Array(repeating: 0, count: model.jobs.count)
        for (number, job) in model.jobs.enumerated() {
            for other in job.before { after[other].append(number) }
        }
        for number in model.jobs.indices where missing[number] == 0 { arrive(number) }
        beginReady()
        while let (time, number) = running.removeFirst() {
            now = time
            end(number)
            // Those that end at the same time give their places back together.
            while let other = running.removeFirst(at: time) { end(other) }
            beginReady()
        }
    }

    /// How long it all takes, in nanoseconds.
    var length: Int64 { ends.max() ?? 0 }

    /// The chain of jobs, each waiting for the one before, that ends last.
    var path: [Int] {
        guard var job = ends.indices.max(by: { ends[$0] < ends[$1] }) else { return [] }
        var path = [job]
        while let before = lastBefore[job] {
            path.append(before)
            job = before
        }
        return path.reversed()
    }

    private func places(of number: Int) -> [Int: Int] {
        model.jobs[number].places.filter { !lifted.contains($0.key) }
    }

    private mutating func arrive(_ number: Int) {
        arrivals += 1
        lines[places(of: number), default: Line()].jobs.append((number, arrivals))
    }

    private mutating func beginReady() {
        while true {
            let fitting = lines.filter { places, line in
                line.first != nil
                    && places.allSatisfy { free[$0.key] >= min($0.value, model.bounds[$0.key].capacity) }
            }
            guard
                let (places, line) = fitting.min(by: {
                    ($0.value.first?.arrival ?? 0) < ($1.value.first?.arrival ?? 0)
                }),
                let (number, _) = line.first
            else { return }
            lines[places]?.next += 1
            for (bound, count) in places { free[bound] -= count }
            let job = model.jobs[number]
            var end = now + job.work
            for (cause, wait) in job.waits where !liftedWaits.contains(cause) { end += wait }
            running.insert(number, at: end)
        }
    }

    private mutating func end(_ number: Int) {
        ends[number] = now
        for (bound, count) in places(of: number) { free[bound] += count }
        for next in after[number] {
            missing[next] -= 1
            lastBefore[next] = number
            if missing[next] == 0 { arrive(next) }
        }
    }
}

/// Jobs by the times at which they end, the earliest first.
struct TimeHeap {
    private var entries: [(time: Int64, job: Int)] = []

    mutating func insert(_ job: Int, at time: Int64) {
        entries.append((time, job))
        var place = entries.count - 1
        while place > 0, isBefore(place, (place - 1) / 2) {
            entries.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// Takes the earliest.
    mutating func removeFirst() -> (time: Int64, job: Int)? {
        guard let first = entries.first else { return nil }
        let last = entries.removeLast()
        guard !entries.isEmpty else { return first }
        entries[0] = last
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < entries.count && isBefore(child, least)
            {
                least = child
            }
            guard least != place else { return first }
            entries.swapAt(place, least)
            place = least
        }
    }

    /// Takes the earliest if it ends at that time.
    mutating func removeFirst(at time: Int64) -> Int? {
        entries.first?.time == time ? removeFirst()?.job : nil
    }

    private func isBefore(_ one: Int, _ other: Int) -> Bool {
        (entries[one].time, entries[one].job) < (entries[other].time, entries[other].job)
    }
}
