/// What a fresh process is asked to measure.
func runChild(_ task: String, _ arguments: [String]) throws {
    switch task {
    case "waiting": try WaitingChains.measure(arguments.first ?? "")
    case "waiting-floor": WaitingChains.measureFloor()
    case "growth": try Growth.measure(arguments.first.flatMap { Int($0) } ?? 10_000)
    case "large": try LargeContent.measure()
    case "profile": runPipelines(200_000, steps: 4)
    case "serve": try NetworkServer.serve()
    case "large-file": try LargeBody.measureFile(arguments)
    case "large-memory": try LargeBody.measureMemory(arguments)
    default: throw ChildFailed(task: task)
    }
}
