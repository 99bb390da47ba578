/// The page that tells what has come of the scenarios.
package struct FleetPage {
    private let scenarios: FleetScenarios
    private let figures: [FleetFigures]
    private let seed: UInt64

    /// `figures` are those of all scenarios, in their order.
    package init(_ scenarios: FleetScenarios, _ figures: [FleetFigures], seed: UInt64) {
        self.scenarios = scenarios
        self.figures = figures
        self.seed = seed
    }

    package var text: String {
        var rest = figures[...]
        func take(_ plans: [FleetPlan]) -> [FleetFigures] {
            defer { rest = rest.dropFirst(plans.count) }
            return Array(rest.prefix(plans.count))
        }
        return [
            FleetText.beginning(seed: seed),
            FleetText.growth, Self.steady(take(scenarios.growth)), FleetText.behindGrowth,
            FleetText.remedies, Self.steady(take(scenarios.remedies)), FleetText.behindRemedies,
            FleetText.regionLost, Self.incidents(take(scenarios.regionLost)), FleetText.behindRegionLost,
            FleetText.failovers, Self.incidents(take(scenarios.failovers)), FleetText.behindFailovers,
            FleetText.model, Self.costs, FleetText.leftOut,
        ].joined(separator: "\n\n") + "\n"
    }

    // MARK: Tables

    private static func steady(_ figures: [FleetFigures]) -> String {
        table(
            [
                "", "steps", "steps a second", "of what bodies allow", "rows written a second", "connections",
                "processors busy", "of that telling", "longest wait", "mean wait", "done twice", "failed",
                "lost",
            ],
            figures.map { figures in
                [
                    figures.plan.name, number(figures.plan.steps), number(figures.rate),
                    percent(figures.rate / figures.plan.ideal),
                    number(Double(figures.rows) / figures.seconds),
                    number(figures.connections), percent(figures.busy), percent(figures.part(of: .notices)),
                    time(figures.longestWait), time(figures.meanWait), number(figures.repeated),
                    number(figures.failed),
                    figures.hasEnded
                        ? number(figures.lost)
                        : "given up after \(number(figures.seconds)) s, \(percent(1 - Double(figures.lost) / Double(figures.plan.steps))) done",
                ]
            })
    }

    private static func incidents(_ figures: [FleetFigures]) -> String {
        table(
            [
                "", "steps", "steps a second before", "in the ten worst seconds", "normal again after",
                "rows written a second",
                "connections", "longest wait", "workers taken for dead", "steps done twice",
                "runs taken over", "failed",
                "lost",
            ],
            figures.map { figures in
                [
                    figures.plan.name, number(figures.plan.steps), number(figures.rate),
                    figures.worstRate.map(number) ?? "", figures.recovery.map(time) ?? "never",
                    number(Double(figures.rows) / figures.seconds), number(figures.connections),
                    time(figures.longestWait), number(figures.lostMemberships), number(figures.repeated),
                    number(figures.takenOver), number(figures.failed),
                    figures.hasEnded ? number(figures.lost) : "not over after \(number(figures.seconds)) s",
                ]
            })
    }

    private static var costs: String {
        table(
            ["statement", "µs of a processor"],
            ServerCosts.table.map { [$0.what, $0.time] })
    }

    private static func table(_ head: [String], _ rows: [[String]]) -> String {
        func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
        return
            ([line(head), line(head.enumerated().map { $0.offset == 0 ? "---" : "---:" })] + rows.map(line))
            .joined(separator: "\n")
    }

    // MARK: Numbers

    private static func number(_ value: Double) -> String { number(Int(value.rounded())) }

    private static func number(_ value: Int) -> String {
        var digits = String(value)
        var place = digits.count - 3
        while place > 0 {
            digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
            place -= 3
        }
        return digits
    }

    private static func percent(_ part: Double) -> String { "\(Int((part * 100).rounded())) %" }

    private static func time(_ seconds: Double) -> String {
        if seconds < 1 { return "\(Int((seconds * 1000).rounded())) ms" }
        let tenths = Int((seconds * 10).rounded())
        return seconds < 10 ? "\(tenths / 10).\(tenths % 10) s" : "\(Int(seconds.rounded())) s"
    }
}

extension FleetFigures {
    /// The part of the servers' time that a kind of statement has taken.
    func part(of kind: Call.Kind) -> Double { kinds.first { $0.kind == kind }?.part ?? 0 }
}

extension ServerCosts {
    /// The page's rows of the costs.
    static var table: [(what: String, time: String)] {
        func micros(_ seconds: Double) -> String {
            "\(Int((seconds * 1e7).rounded()) / 10)"
                + (Int((seconds * 1e7).rounded()) % 10 == 0 ? "" : ".\(Int((seconds * 1e7).rounded()) % 10)")
        }
        return [
            ("connect, and what a store asks at first", micros(connect)),
            ("take *n* steps", "\(micros(claim.base)) + \(micros(claim.step)) *n*"),
            ("keep *n* ends", "\(micros(end.base)) + \(micros(end.step)) *n*"),
            ("offer *n* steps", "\(micros(offer.base)) + \(micros(offer.step)) *n*"),
            (
                "acknowledge *n* ends, and hear of more",
                "\(micros(acknowledge.base)) + \(micros(acknowledge.step)) *n*"
            ),
            ("renew a worker's lease", micros(beat)),
            ("read a result; a run", "\(micros(readResult)); \(micros(readRun))"),
            (
                "look for runs without owner; for dead workers",
                "\(micros(lookForOwnerless)); \(micros(sweep))"
            ),
            ("tell something to *n* that listen: who tells", "\(micros(tell)) + \(micros(signal)) *n*"),
            ("the same: those that wake", "\(micros(wake)) *n*"),
        ]
    }
}
