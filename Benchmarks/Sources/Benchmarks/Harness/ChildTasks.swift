/// What a fresh process is asked to measure.
func runChild(_ task: String, _ arguments: [String]) throws {
    switch task {
    case "waiting": try WaitingChains.measureWaiting()
    case "operations": WaitingChains.measureOperations()
    case "growth": try Growth.measure(arguments.first.flatMap { Int($0) } ?? 10_000)
    case "large": try LargeContent.measure()
    case "profile": runPipelines(100, steps: 8000, batch: 1)
    default: throw ChildFailed(task: task)
    }
}
