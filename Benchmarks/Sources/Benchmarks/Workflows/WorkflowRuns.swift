import Stepline

enum Workflows: Benchmark {
    static let name = "workflows"
    static let summary = "1,000,000 empty tasks, built and run, against oneTBB's flow graph"

    private enum Contender: CaseIterable {
        case ours, oursOnOne, oursOnTwo, oneTBBOnOne, oneTBBOnTwo
    }

    /// The places of the figures.
    private static let (building, running) = (0, 1)
    private static let count = Sizes.of(1_000_000)
    private static let rival = Rival(
        "flowgraph", header: "oneapi/tbb/flow_graph.h", library: "tbb", package: "oneTBB")

    static func run() throws -> [Finding] {
        try Shape.allCases.flatMap { shape in
            let graph = Graph(shape, count)
            let turns = try Turns(rounds: 5, of: Contender.allCases) { contender in
                switch contender {
                case .ours: try measure(graph, workers: nil)
                case .oursOnOne: try measure(graph, workers: 1)
                case .oursOnTwo: try measure(graph, workers: 2)
                case .oneTBBOnOne: rival.numbers([shape.rawValue, "\(count)", "1"])
                case .oneTBBOnTwo: rival.numbers([shape.rawValue, "\(count)", "2"])
                }
            }
            return findings(shape, turns)
        }
    }

    private static func findings(_ shape: Shape, _ turns: Turns<Contender>) -> [Finding] {
        // Of few tasks at a time, oneTBB runs the next one without any queue.
        let isNarrow = [.chain, .diamonds].contains(shape)
        func notified(_ name: String, _ own: Contender, _ rival: Contender, _ figure: Int) -> Finding {
            Finding(
                "\(shape): \(name)", turns.median(own, figure) ?? .nan, "ns", rival: "oneTBB, ns",
                rivalValue: turns.median(rival, figure))
        }
        return [
            notified("build, a task", .ours, .oneTBBOnTwo, building),
            notified("run, a task", .ours, .oneTBBOnTwo, running),
            notified("run on one worker, a task", .oursOnOne, .oneTBBOnOne, running),
            notified("run on two workers, a task", .oursOnTwo, .oneTBBOnTwo, running),
        ]
            + [
                Finding(
                    "\(shape): build, of oneTBB's time",
                    ratio: turns.ratio(.ours, to: .oneTBBOnTwo, building), atMost: 1.5),
                Finding(
                    "\(shape): run on one worker, of oneTBB's time",
                    ratio: turns.ratio(.oursOnOne, to: .oneTBBOnOne, running), atMost: isNarrow ? 3 : 1.2),
                Finding(
                    "\(shape): run on two workers, of oneTBB's time",
                    ratio: turns.ratio(.oursOnTwo, to: .oneTBBOnTwo, running), atMost: 3),
                // Never slower; what two runs of the same differ by is allowed.
                Finding(
                    "\(shape): run on two workers, of the time on one",
                    ratio: turns.ratio(.oursOnTwo, to: .oursOnOne, running), atMost: 1.05),
            ].compactMap { $0 }
    }

    /// One build and run of a shape, in nanoseconds a task.
    private static func measure(_ graph: Graph, workers: Int?) throws -> [Double] {
        let workflow = GraphWorkflow.make(workers: workers)
        var refs: [TaskRef<Void>] = []
        let build = try nanoseconds { refs = try GraphWorkflow.add(graph, to: workflow) }
        let run = nanoseconds { GraphWorkflow.runToEnd(workflow) }
        let tasks = Double(refs.count)
        return [build / tasks, run / tasks]
    }

    /// Runs a shape again and again, for a profiler to look at.
    static func profile(_ shape: Shape) throws {
        let graph = Graph(shape, count)
        for _ in 0..<3 { say("\(try measure(graph, workers: nil))") }
    }
}
