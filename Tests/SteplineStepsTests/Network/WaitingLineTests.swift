import Foundation
import Stepline
import SteplineTesting
import Testing

@Suite("Loads that wait in line", .timeLimit(.minutes(5)))
struct WaitingLineTests {
    @Test(
        "PL-81: time-outs count from the sending, and not while a load waits for its host",
        .overCurl)
    func waiting() async throws {
        let server = try LoopbackServer()
        let (clock, gate) = (ManualClock(), Gate())
        server.route("/held", LoopbackResponse.text("held").fault(.hold(after: 0, gate)))
        server.route("/next", .text("next"))
        let running = (0..<6).map { _ in
            Pipeline("held", options: PipelineOptions(clock: clock)) {
                URLLoadStep(server.url("/held"), options: options { $0.idleTimeout = .seconds(86_400) })
            }
        }
        for pipeline in running { try pipeline.start() }
        await server.waitForRequests(6)
        let line = Recorder<Bool>()
        let waiting = (0..<10).map { _ in
            Pipeline("next", options: PipelineOptions(clock: clock)) {
                URLLoadStep(
                    server.url("/next"),
                    options: options {
                        $0.idleTimeout = .seconds(4)
                        $0.totalTimeout = .seconds(9)
                        $0.lineWatch = { isWaiting in line.record(isWaiting) }
                    })
            }
        }
        for pipeline in waiting { try pipeline.start() }
        await line.waitForCount(10)
        clock.advance(by: .seconds(30))
        #expect(server.connectionCount == 6)
        gate.open()
        for pipeline in running + waiting { #expect(await pipeline.outcome().error == nil) }
    }
}
