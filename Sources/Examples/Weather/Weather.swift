import Foundation
import Stepline

/// Shows the weather in a terminal: `Weather Oslo Kyoto` prints a table, `Weather` asks for a city.
@main
enum Weather {
    static func main() async {
        do {
            let options = try WeatherOptions(Array(CommandLine.arguments.dropFirst()))
            let fixtures = try options.isLive ? nil : FixtureServer(folder: options.fixtures)
            let service = fixtures?.service ?? .live
            if options.cities.isEmpty {
                try await Conversation(service: service).run()
            } else {
                try await report(options, from: service)
            }
            withExtendedLifetime(fixtures) {}
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(error is WeatherOptions.Misuse ? 64 : 1)
        }
    }

    private static func report(_ options: WeatherOptions, from service: WeatherService) async throws {
        let report = try WeatherReport(cities: options.cities, service: service)
        let view = ProgressView(of: report.workflow)
        let (table, failures) = try await report.run()
        await view.finish()
        print(table)
        if let file = options.report {
            let folder = file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let format = PictureFormat(named: file.pathExtension) ?? .html
            try Data(report.workflow.picture(as: format).utf8).write(to: file, options: .atomic)
            print("\nwhat the run looked like: \(file.path)")
        }
        for failure in failures { FileHandle.standardError.write(Data("\(failure)\n".utf8)) }
        if !failures.isEmpty { exit(1) }
    }
}
