import Foundation

/// Bodies that hold up their threads, all handed in at once, and short work beside them.
enum BlockingBodies: Benchmark {
    static let name = "blocking-bodies"
    static let summary =
        "64 bodies that block for 10 ms each, handed in at once, and a short chain beside them"

    private enum Engine: String, CaseIterable { case pipelines, workflows }

    private static let count = 64
    /// How long engines keep threads that they have added; the next round has to add them again.
    private static let rest = Duration.milliseconds(400)

    static func run() -> [Finding] {
        let turns = Turns(rounds: 20, of: Engine.allCases) { engine in
            switch engine {
            case .pipelines: measure(startBlockingPipelines, startShortPipeline)
            case .workflows: measure(startBlockingTasks, startShortWorkflow)
            }
        }
        return Engine.allCases.flatMap { engine in
            func milliseconds(_ figure: Int) -> Double { (turns.median(engine, figure) ?? .nan) / 1e6 }
            let (one, all, chain) = (0, 1, 2)
            return [
                Finding(
                    "\(engine): all \(count)", milliseconds(all), "ms", rival: "one of them, ms",
                    rivalValue: milliseconds(one)),
                Finding("\(engine): a short chain beside them", milliseconds(chain), "ms"),
            ]
                + [
                    Finding(
                        "\(engine): all \(count), of the time of one",
                        ratio: turns.ratio(engine, all, to: engine, one), atMost: 3),
                    Finding(
                        "\(engine): a short chain beside them, of the time of one",
                        ratio: turns.ratio(engine, chain, to: engine, one), atMost: 0.5),
                ].compactMap { $0 }
        }
    }

    /// The nanoseconds of one blocking body, of all of them, and of a short chain beside them, each from its start to
    /// its end.
    private static func measure(_ start: (Int, Latch) -> Void, _ startChain: (Latch) -> Void) -> [Double] {
        rested {
            let latch = Latch()
            return [
                nanoseconds {
                    start(1, latch)
                    latch.wait()
                }
            ]
        }
            + rested {
                let (all, chain) = (Latch(), Latch())
                let began = DispatchTime.now().uptimeNanoseconds
                start(count, all)
                let chainTime = nanoseconds {
                    startChain(chain)
                    chain.wait()
                }
                all.wait()
                return [Double(DispatchTime.now().uptimeNanoseconds - began), chainTime]
            }
    }

    private static func rested(_ work: () -> [Double]) -> [Double] {
        Thread.sleep(forTimeInterval: rest / .seconds(1))
        return work()
    }
}
