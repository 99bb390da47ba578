enum FourSteps: Benchmark {
    static let name = "four-steps"
    static let summary = "100,000 pipelines of four trivial synchronous steps, built, run and freed"

    static func run() -> [Finding] {
        let count = Sizes.of(100_000), rivals = Sizes.of(10_000)
        let duel = Duel(
            rounds: 5, units: [4 * count, 4 * rivals, 4 * count],
            [
                { runPipelines(count, steps: 4) },
                { runOperationQueue(rivals, steps: 4) },
                { runByHand(count, steps: 4) },
            ])
        let (own, queue, hand) = (duel.medians[0], duel.medians[1], duel.medians[2])
        return [
            Finding("a step", own, "ns", rival: "OperationQueue, ns", rivalValue: queue),
            Finding("a step, of OperationQueue's time", duel.ratios[1], "times", bound: 0.25),
            Finding(
                "a step, over start() by hand", own - hand, "ns", rival: "by hand, ns", rivalValue: hand),
            Finding("a step, of start() by hand", duel.ratios[2], "times", bound: 2),
        ]
    }
}
