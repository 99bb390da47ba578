import Testing

@testable import SteplinePostgreSQL

/// When leases are spared that have run out on a server.
@Suite(.timeLimit(.minutes(5)))
struct SilenceWatchTests {
    private let lease = Duration.seconds(15)

    /// Sweeps at an uptime, `late` seconds after the server was asked; the server's clock is ahead by 100 s and `jump`.
    private func sweep(
        _ watch: inout SilenceWatch, at uptime: Double, late: Double = 0, jump: Double = 0
    ) -> Bool {
        watch.areLeasesCounted(
            lease, server: .seconds(uptime + 100 + jump), asked: .seconds(uptime - late), at: .seconds(uptime)
        )
    }

    @Test func `DR-42: leases count from the first sweep on, also after a time without sweeps`() {
        var watch = SilenceWatch()
        let counted = [1, 1.7, 600].map { sweep(&watch, at: $0) }
        #expect(counted == [true, true, true])
    }

    @Test func `DR-44: each time a server has stalled, no lease expires for the length of one`() {
        var watch = SilenceWatch()
        #expect(sweep(&watch, at: 1))
        for pause in 0..<3 {
            let end = 100 * Double(pause + 1)
            let counted = [
                sweep(&watch, at: end, late: 20), sweep(&watch, at: end + 14), sweep(&watch, at: end + 15),
            ]
            #expect(counted == [false, false, true], "pause \(pause)")
        }
    }

    @Test func `DR-44: a server's clock that jumps ahead spares leases, and one that is set back doesn't`() {
        var watch = SilenceWatch()
        let counted = [
            sweep(&watch, at: 1), sweep(&watch, at: 2, jump: 3600), sweep(&watch, at: 16, jump: 3600),
            sweep(&watch, at: 17, jump: 3600), sweep(&watch, at: 18),
        ]
        #expect(counted == [true, false, false, true, true])
    }
}
