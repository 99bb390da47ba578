import Foundation

/// Interleaved runs of rivals on the same input; the best of each counts.
struct Measure {
    let bytes: Int
    let minimumSeconds: Double

    /// Runs every body in turn until the time is up, and prints each one's best rate and its ratio to the
    /// first.
    func compare(_ title: String, _ bodies: [(name: String, run: () throws -> Int)]) throws {
        var best = [Double](repeating: .infinity, count: bodies.count)
        let clock = ContinuousClock()
        let start = clock.now
        var rounds = 0
        let repeats = max(1, 200_000 / max(bytes, 1))
        repeat {
            for (index, body) in bodies.enumerated() {
                var sink = 0
                let time = try clock.measure { for _ in 0..<repeats { sink &+= try body.run() } }
                let seconds = Double(time.components.attoseconds) / 1e18 + Double(time.components.seconds)
                best[index] = min(best[index], seconds / Double(repeats))
                if sink == .min { print(sink) }
            }
            rounds += 1
        } while rounds < 3 || start.duration(to: clock.now) < .seconds(minimumSeconds)
        print("\(title), \(bytes) bytes, \(rounds) rounds")
        for (index, body) in bodies.enumerated() {
            let rate = Double(bytes) / best[index] / 1e6
            let ratio = best[0] / best[index]
            print(
                "  \(body.name.padding(toLength: 34, withPad: " ", startingAt: 0))",
                String(format: "%9.1f MB/s  %7.2f x", rate, ratio))
        }
    }
}
