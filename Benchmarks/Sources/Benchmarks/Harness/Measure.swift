import Foundation

/// Times contenders in turn, A B A B …, so that a machine whose speed drifts is as slow for one as for the other.
struct Duel {
    /// The median of each contender's time, in nanoseconds a unit of work.
    let medians: [Double]
    /// The median of the ratios to the first contender, taken round by round.
    let ratios: [Double]

    init(rounds: Int = 7, units: [Int], _ contenders: [() -> Void]) {
        var times = contenders.map { _ in [Double]() }
        for contender in contenders { contender() }
        for _ in 0..<rounds {
            for (index, contender) in contenders.enumerated() {
                times[index].append(nanoseconds(contender) / Double(units[index]))
            }
        }
        medians = times.map(median)
        ratios = times.map { own in median(zip(times[0], own).map { $0 / $1 }) }
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

/// The median and the slow end of what was measured in nanoseconds, told in microseconds.
func latencies(_ name: String, _ samples: [Double]) -> [Finding] {
    let sorted = samples.sorted()
    return [("p50", 0.5), ("p99", 0.99)].map { label, share in
        let value = sorted.isEmpty ? .nan : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
        return Finding("\(name), \(label)", value / 1000, "µs")
    }
}
