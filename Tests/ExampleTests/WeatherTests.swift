import Foundation
import Stepline
import SteplineTesting
import SteplineXML
import Testing

@testable import Weather

@Suite("Weather", .timeLimit(.minutes(5)))
struct WeatherTests {
    private let fixtures = BuiltExample.root.appending(path: "Fixtures/weather")

    private func decode(_ text: String) async throws -> WeatherPage {
        let file = FileManager.default.temporaryDirectory.appending(path: "weather-\(UUID().uuidString).json")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try await Pipeline.run {
            FileLoadStep(file)
            JSONDecodeStep<Forecast>()
            DescribeWeather()
        }
    }

    // MARK: The model

    @Test("PL-106: wind keeps its decimals and its unit; no list of weather, or an empty one, is fine")
    func page() async throws {
        let full = try await decode(
            """
            {"current": {"temperature_2m": -0.3, "wind_speed_10m": 5.75, "relative_humidity_2m": 61,
              "pressure_msl": 1009.6}, "current_units": {"wind_speed_10m": "m/s"},
             "daily": {"weather_code": [71], "temperature_2m_min": [-4.5], "temperature_2m_max": [1.5]}}
            """)
        #expect(
            full.lines == [
                "snow, 0°", "from -5° to 2° today", "wind 5.75 m/s", "humidity 61 %", "pressure 1010 hPa",
            ])
        let empty = try await decode(
            #"{"current": {"temperature_2m": 3}, "daily": {"weather_code": [], "temperature_2m_min": []}}"#)
        #expect(empty.lines == ["no description, 3°"])
        let bare = try await decode(#"{"current": {"temperature_2m": 3.5}}"#)
        #expect(bare.degrees == "4°" && bare.highest == nil)
    }

    // MARK: Searching

    /// The list and message that a search showed.
    private struct Shown: Equatable {
        let titles: [String]
        let problem: Bool
    }

    private func makeSearch(_ service: WeatherService) -> (CitySearch, DispatchQueue, Recorder<Shown>) {
        let queue = DispatchQueue(label: "weather.tests")
        let shown = Recorder<Shown>()
        let search = CitySearch(service: service, queue: queue) {
            shown.record(Shown(titles: $0.matches.map(\.title), problem: $0.problem != nil))
        }
        return (search, queue, shown)
    }

    @Test("PL-105: matches are listed as City (CC) with whole degrees; no match is an empty list")
    func list() async throws {
        let server = try FixtureServer(folder: fixtures)
        let (search, queue, shown) = makeSearch(server.service)
        try queue.sync { try search.search("Paris") }
        await shown.waitForCount(1)
        #expect(shown.values[0].titles == ["Paris (FR) 8°", "Paris (US) 18°", "Paris (US) 11°"])
        try queue.sync { try search.search("Atlantis") }
        await shown.waitForCount(2)
        #expect(shown.values[1] == Shown(titles: [], problem: false))
    }

    @Test("PL-105, PL-106: a new search cancels the old one at any point, and the old answer isn't shown")
    func replaced() async throws {
        let fixtures = try FixtureServer(folder: fixtures)
        let gate = Gate()
        // The answer of the first search is held in mid-parse: its page is asked for, and not given.
        let held = try LoopbackServer()
        held.route("/v1/search") { _ in
            .text(#"{"results": [{"name": "Old", "latitude": 1, "longitude": 2}]}"#, type: "application/json")
        }
        held.route("/v1/forecast") { _ in
            gate.block()
            return .text(#"{"current": {"temperature_2m": 1}}"#, type: "application/json")
        }
        let service = WeatherService(search: held.url("/v1/search"), forecast: held.url("/v1/forecast"))
        let (old, queue, shown) = makeSearch(service)
        try queue.sync { try old.search("Old") }
        await gate.waitForArrivals()
        try queue.sync { try old.search("Old") }
        await gate.waitForArrivals(2)
        gate.open()
        await shown.waitForCount(1)
        // One answer for two searches; and what stands behind it on the queue is told after it.
        queue.sync {}
        #expect(shown.values == [Shown(titles: ["Old 1°"], problem: false)])
        _ = fixtures
    }

    @Test("PL-105: a failure is shown, and empties the list")
    func failure() async throws {
        let server = try LoopbackServer()
        server.route(
            "/v1/search",
            inTurn: [
                .text(
                    #"{"results": [{"name": "A", "latitude": 1, "longitude": 2}]}"#, type: "application/json"),
                .status(404),
            ])
        server.route("/v1/forecast", .status(404))
        let (search, queue, shown) = makeSearch(
            WeatherService(search: server.url("/v1/search"), forecast: server.url("/v1/forecast")))
        try queue.sync { try search.search("A") }
        await shown.waitForCount(1)
        #expect(shown.values[0] == Shown(titles: ["A"], problem: false))
        try queue.sync { try search.search("A") }
        await shown.waitForCount(2)
        #expect(shown.values[1] == Shown(titles: [], problem: true))
    }

    // MARK: The program

    @Test("the picture in README is what the example draws")
    func picture() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "weather-\(UUID().uuidString).svg")
        defer { try? FileManager.default.removeItem(at: file) }
        let cities = ["Paris", "Oslo", "Lisbon", "Nairobi", "Kyoto"]
        #expect(try await BuiltExample("Weather").run(["--report", file.path] + cities).status == 0)
        let catalog = BuiltExample.root.appending(path: "Sources/Stepline/Documentation.docc/Resources")
        let pictures = try [file, catalog.appending(path: "weather.svg")].map { picture in
            // Places and times differ from run to run.
            let text = try String(contentsOf: picture, encoding: .utf8)
            return text.matches(of: /(?:<title>|class="name"[^>]*>)([^<\n]*)/).map { String($0.1) }
        }
        #expect(pictures[0].count > 11 && pictures[0].sorted() == pictures[1].sorted())
    }

    @Test("PL-105: a table of several cities, offline, with a report that is one page by itself")
    func table() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "weather-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "run.html")
        let result = try await BuiltExample("Weather").run(["--report", file.path, "Oslo", "Kyoto", "Lisbon"])
        #expect(result.status == 0)
        let lines = result.output.split(separator: "\n")
        #expect(lines.first?.hasPrefix("city") == true)
        #expect(lines.contains { $0.hasPrefix("Oslo") && $0.contains("-3°") && $0.hasSuffix("snow") })
        #expect(lines.contains { $0.hasPrefix("Kyoto") && $0.contains("4.3 km/h") })
        #expect(result.errors.contains("✓ forecast Lisbon"))
        let page = try XML.Document(html: Data(contentsOf: file))
        #expect(page.root.text.contains("forecast Kyoto"))
    }

    @Test("PL-105: an unknown city has a row that says so, and fails the whole at the end")
    func unknown() async throws {
        let result = try await BuiltExample("Weather").run(["Oslo", "Atlantis"])
        #expect(result.status == 1)
        #expect(result.output.contains("Oslo") && result.output.contains("not to be had"))
        #expect(result.errors.contains("there is no city named Atlantis"))
    }

    @Test("PL-105: of several cities with the name one is chosen, and its page is shown")
    func conversation() async throws {
        let result = try await BuiltExample("Weather").run([], input: "Paris\n2\nAtlantis\n\n")
        #expect(result.status == 0)
        #expect(result.output.contains("2  Paris (US) 18°  Texas, United States"))
        for line in ["some clouds, 18°", "from 10° to 21° today", "wind 9.4 km/h", "humidity 64 %"] {
            #expect(result.output.contains(line))
        }
        #expect(result.output.contains("nothing has that name"))
    }

    @Test("an unknown option prints the usage")
    func usage() async throws {
        let result = try await BuiltExample("Weather").run(["--loud"])
        #expect(result.status == 64 && result.errors.hasPrefix("usage:"))
    }
}
