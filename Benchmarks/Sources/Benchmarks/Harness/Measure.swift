import Foundation

/// Times contenders in turns.
struct Duel {
    /// The median of each contender's time, in nanoseconds a unit of work.
    let medians: [Double]
    /// The median of the ratios to the first contender, taken round by round.
    let ratios: [Double]

    /// Each contender has a first time that doesn't count.
    init(rounds: Int = 7, units: [Int], _ contenders: [() -> Void]) {
        for contender in contenders { contender() }
        let places = Array(contenders.indices)
        let turns = Turns(rounds: rounds, of: places) { place in
            [nanoseconds(contenders[place]) / Double(units[place])]
        }
        medians = places.map { turns.median($0) ?? .nan }
        ratios = places.map { turns.ratio(0, to: $0) ?? .nan }
    }
}

func nanoseconds(_ work: () throws -> Void) rethrows -> Double {
    let start = DispatchTime.now().uptimeNanoseconds
    try work()
    return Double(DispatchTime.now().uptimeNanoseconds - start)
}

func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard let middle = sorted.dropFirst(sorted.count / 2).first else { return .nan }
    return middle
}

/// A figure of this process from `/proc/self/status`, in bytes or as a count: `VmHWM`, `VmRSS`, `Threads`.
func processStatus(_ field: String) -> Int {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return 0 }
    for line in status.split(separator: "\n") where line.hasPrefix(field + ":") {
        let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
        let number = words.dropFirst().first.flatMap { Int($0) } ?? 0
        return words.last == "kB" ? number * 1024 : number
    }
    return 0
}

/// The value below which this share of the samples lies.
func percentile(_ samples: [Double], _ share: Double) -> Double {
    let sorted = samples.sorted()
    return sorted.isEmpty ? .nan : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
}

/// The median and the slow end of what was measured in nanoseconds, told in microseconds.
func latencies(_ name: String, _ samples: [Double]) -> [Finding] {
    [("p50", 0.5), ("p99", 0.99)].map { label, share in
        Finding("\(name), \(label)", percentile(samples, share) / 1000, "µs")
    }
}
