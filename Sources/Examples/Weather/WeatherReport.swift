import Foundation
import Stepline

/// The workflow: for several cities at once, find the city, then its weather; then one table of all.
struct WeatherReport: Sendable {
    let workflow: Workflow
    private let table: TaskRef<String>

    init(cities names: [String], service: WeatherService) throws {
        workflow = Workflow("weather", options: .init(keptAttempts: 4))
        var forecasts: [WorkflowTask] = []
        for name in names {
            let find = try workflow.add(
                PipelineTask(name: "find \(name)", output: ContentKey<City>.body) {
                    let pipeline = service.cities(named: name)
                    try pipeline.addStep(
                        BlockStep { (cities: [City]) throws in
                            guard let best = cities.first else { throw UnknownCity(name: name) }
                            return best
                        }.named("best"))
                    return pipeline
                })
            forecasts.append(
                try workflow.add(
                    PipelineTask(name: "forecast \(name)", output: ContentKey<WeatherPage>.body) {
                        service.page()
                    },
                    prerequisites: [find]))
        }
        let rows = forecasts
        let task = BlockTask(name: "table") { attempt in
            let pages = rows.map { $0.result as? WeatherPage }
            attempt.finish(with: WeatherTable.text(Array(zip(names, pages))))
        }
        try workflow.add(task, prerequisites: forecasts, allowingFailureOf: forecasts)
        table = try TaskRef(task, as: String.self)
    }

    /// Runs it and gives the table.
    ///
    /// A city that can't be had has a row that says so, and is among `failures`.
    func run() async throws -> (table: String, failures: [String]) {
        try workflow.start()
        let text = try await table.value()
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
