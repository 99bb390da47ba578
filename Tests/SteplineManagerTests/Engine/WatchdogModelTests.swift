import SteplineEngine
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@testable import SteplineManager

@Suite("The manager's watchdog", .timeLimit(.minutes(5)))
struct WatchdogModelTests {
    /// Names at 1, 2, 4, … times its patience whoever has gone on for so long, whenever it looks.
    @Test func `a suspect that continues is named at each doubling, however suspects come, go and restart`() {
        var random = StableRandom(seed: Chance.seed)
        for _ in 0..<Chance.rounds(200) {
            let patience = Int.random(in: 1...50, using: &random) * 1_000_000
            var watchdog = Watchdog(patience: .nanoseconds(patience))
            /// Since when each goes on, and how often it should have been named.
            var suspects: [Int: (since: Int, named: Int)] = [:]
            var now = 0
            var look: Int?
            for step in 0..<120 {
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    suspects[Int.random(in: 0..<5, using: &random)] = (now, 0)
                    if let wait = watchdog.rouse() {
                        #expect(look == nil, "step \(step)")
                        look = now + Int(wait.wholeNanoseconds)
                    }
                case 1: suspects[Int.random(in: 0..<5, using: &random)] = nil
                default:
                    // On to the next look, which is late at times, or not quite.
                    guard let due = look else { continue }
                    let later = due + Int.random(in: 0...patience, using: &random)
                    now = [now, max(now, due), later].randomElement(using: &random) ?? now
                    guard now >= due else { continue }
                    watchdog.beginRound()
                    for (suspect, entry) in suspects.sorted(by: { $0.key < $1.key }) {
                        let age = now - entry.since
                        // How many doublings of the patience are in that time.
                        let should = age < patience ? 0 : 1 + (age / patience).leadingBit
                        let isNamed = watchdog.names(
                            .task(suspect), since: Instant(nanoseconds: Int64(entry.since)),
                            at: Instant(nanoseconds: Int64(now)))
                        #expect(isNamed == (should > entry.named), "step \(step), suspect \(suspect)")
                        suspects[suspect]?.named = should
                    }
                    look = watchdog.endRound(isIdle: suspects.isEmpty).map { now + Int($0.wholeNanoseconds) }
                    #expect((look == nil) == suspects.isEmpty)
                    // The next look is no later than the next report that is due, and soon enough for new suspects.
                    for entry in suspects.values {
                        #expect(look ?? 0 <= entry.since + patience << entry.named, "step \(step)")
                    }
                    #expect(look ?? 0 <= now + patience, "step \(step)")
                }
            }
        }
    }
}

extension Int {
    fileprivate var leadingBit: Int { Int.bitWidth - 1 - leadingZeroBitCount }
}
