/// Measures a task in a fresh process.
func runChild(_ task: String, _ arguments: [String]) throws {
    func number(_ place: Int) -> Int { arguments.count > place ? Int(arguments[place]) ?? 0 : 0 }
    switch task {
    case "waiting": try WaitingChains.measure(arguments.first ?? "", number(1))
    case "waiting-floor": WaitingChains.measureFloor()
    case "growth": try Growth.measure(number(0))
    case "growth-floor": Growth.measureFloor(number(0), bytes: number(1))
    case "large": try LargeContent.measure()
    case "xml-memory": try XMLParsing.measureMemory()
    case "xml-stream-memory": try XMLStreaming.measureMemory()
    case "xml-hostile": XMLHostility.measure(arguments.first ?? "")
    case "serve": try NetworkServer.serve()
    case "large-file": try LargeBody.measureFile(arguments)
    case "large-memory": try LargeBody.measureMemory(arguments)
    case "large-upload": try LargeBody.measureUpload(arguments)
    case "gets": SmallGets.measure(arguments.first ?? "", width: number(1), of: number(2))
    case "slow-servers": try SlowServers.measure()
    case "managers-waiting": ManagedTasks.measureWaiting()
    case "workflow-memory": try WorkflowMessages.measureMemory()
    case "grow-memory": try GrowingMaps.measureMemory()
    case "workflow-objects": try WorkflowObjects.profile()
    case "typed-closures": try TypedClosures.profile(arguments.first ?? "")
    case "workflow-telling": try WorkflowTelling.profile(arguments.first ?? "", workers: number(1))
    case "workflow-profile":
        guard let shape = Shape(rawValue: arguments.first ?? "") else { throw ChildFailed(task: task) }
        try Workflows.profile(shape)
    default: throw ChildFailed(task: task)
    }
}
