import Foundation
import Stepline

/// The workflow: for several cities concurrently, find the city, load its weather, then make a table of all.
struct WeatherReport: Sendable {
    let workflow: Workflow
    private let table: TaskRef<String>

    init(cities names: [String], service: WeatherService) throws {
        let workflow = Workflow("weather", options: .init(keptAttempts: 4))
        self.workflow = workflow
        let forecasts = try names.map { name in
            let city = try workflow.addPipeline("find \(name)", pipelineOptions: service.options) {
                service.cities(named: name)
                BlockStep { (cities: [City]) throws in
                    guard let best = cities.first else { throw UnknownCity(name: name) }
                    return best
                }.named("best")
            }
            return try workflow.addPipeline("forecast \(name)", after: city, pipelineOptions: service.options)
            {
                service.page()
            }
        }
        let task = BlockTask(name: "table") { attempt in
            let pages = forecasts.map(\.result)
            attempt.finish(with: WeatherTable.text(Array(zip(names, pages))))
        }
        let tasks = forecasts.map(\.task)
        try workflow.add(task, prerequisites: tasks, allowingFailureOf: tasks)
        table = try TaskRef(task)
    }

    /// Runs the workflow, and returns the table.
    ///
    /// A city that failed has a row that says so, and is listed in `failures`.
    func run() async throws -> (table: String, failures: [String]) {
        try workflow.start()
        let text = try await table.value
        let failures = workflow.allTasks.filter(\.isFailed).compactMap { task in
            task.error.map { "\(task.name): \($0)" }
        }
        return (text, failures)
    }
}

struct UnknownCity: Error, CustomStringConvertible {
    let name: String
    var description: String { "there is no city named \(name)" }
}
