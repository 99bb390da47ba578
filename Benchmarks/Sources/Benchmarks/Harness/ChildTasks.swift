/// What a fresh process is asked to measure.
func runChild(_ task: String, _ arguments: [String]) throws {
    switch task {
    case "waiting": try WaitingChains.measure(arguments.first ?? "")
    case "waiting-floor": WaitingChains.measureFloor()
    case "growth": try Growth.measure(arguments.first.flatMap { Int($0) } ?? 10_000)
    case "large": try LargeContent.measure()
    case "workflow-memory": try WorkflowTiming.memory()
    case "workflow-objects": for _ in 0..<3 { say("\(try WorkflowTiming.subclasses(1_000_000))") }
    case "workflow-profile":
        guard let shape = Shape(rawValue: arguments.first ?? "") else { throw ChildFailed(task: task) }
        for _ in 0..<3 { say("\(try WorkflowTiming.closures(shape, 1_000_000))") }
    case "profile": runPipelines(200_000, steps: 4)
    default: throw ChildFailed(task: task)
    }
}
