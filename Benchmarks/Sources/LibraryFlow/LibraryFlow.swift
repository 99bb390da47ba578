import Stepline

/// The rival of a flow of trivial tasks in `Benchmarks/command`: as many pipelines of one step, written in Swift, and
/// somebody who reads of them.
@main
enum LibraryFlow {
    static func main() async throws {
        guard let count = CommandLine.arguments.dropFirst().first.flatMap({ Int($0) }) else {
            return print("LibraryFlow COUNT")
        }
        let workflow = Workflow("tasks")
        for number in 0..<count {
            try workflow.addPipeline("t\(number)") { BlockStep { () in number } }
        }
        let events = workflow.events
        let reading = Task {
            for await _ in events {}
        }
        try await workflow.run()
        reading.cancel()
    }
}
