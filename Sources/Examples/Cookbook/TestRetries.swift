import Foundation
import Stepline
import SteplineTesting

/// Tests hours of retries without waiting: the clock jumps to the next timer.
enum TestRetries {
    static func run(print: Print) async throws {
        let clock = ManualClock(runsByItself: true)
        let hours = Recorder<Int64>()
        let policy = RetryPolicy.exponential(
            attempts: 5, base: .seconds(3600), cap: .seconds(6 * 3600), jitter: .none)
        let options = PipelineOptions(retry: policy, watchdog: .zero, clock: clock)
        let pipeline = Pipeline("nightly", options: options) {
            BlockStep { () throws in
                hours.record(clock.uptime.components.seconds / 3600)
                if hours.count < 5 { throw URLError(.timedOut) }
                return "there at last"
            }
        }
        print(try await pipeline.run())
        print("tried after hours \(hours.values)")
    }
}
