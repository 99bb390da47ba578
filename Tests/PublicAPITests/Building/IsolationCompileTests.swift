import TestSupport
import Testing

/// The same lines wherever one writes Swift: in a function, an actor, on the main actor, in a script.
@Suite("Isolation at compile time", .timeLimit(.minutes(5)), .enabled(if: Compiler.isThere, Compiler.absence))
struct IsolationCompileTests {
    @Test(
        "a pipeline compiles in functions, actors and main actors, with either default isolation",
        arguments: [[], ["-default-isolation", "MainActor"]])
    func library(options: [String]) async throws {
        try await expectNoErrors(Self.types + Self.places, ["-parse-as-library"] + options)
    }

    @Test(
        "a pipeline compiles in a script, with either default isolation", .soakOnly,
        arguments: [[], ["-default-isolation", "MainActor"]])
    func script(options: [String]) async throws {
        try await expectNoErrors(Self.types + Self.lines, options)
    }

    private func expectNoErrors(_ snippet: String, _ options: [String]) async throws {
        let found = try await #require(Compiler()).errors(in: snippet, options: options)
        #expect(found.isEmpty, "\(found)")
    }

    private static let types = """
        import Foundation
        import Stepline

        nonisolated struct City: Decodable { let name: String }

        nonisolated final class CountWords: BasicStep<String, Int>, @unchecked Sendable {
            override func process(_ text: String) -> Int { text.split(separator: " ").count }
        }

        nonisolated struct Halve: StepBody {
            func process(_ number: Int) async throws -> Int { number / 2 }
        }

        nonisolated extension ContentKey where Value == Int {
            static var total: Self { .init("total") }
        }

        """

    /// Statements that must compile in every context.
    private static let lines = """
        let url = URL(filePath: "/none")
        let city = try await Pipeline.run {
            URLLoadStep(url)
            JSONDecodeStep<City>()
        }
        let kept = Pipeline("kept", options: PipelineOptions(retry: .exponential(attempts: 4))) {
            URLLoadStep(url)
            BlockStep { (bytes: Data) in String(decoding: bytes, as: UTF8.self) }
            CountWords().timeout(.seconds(5))
            Halve()
            BlockStep(to: .total) { (count: Int) in count }
        }
        kept.onFailure(on: .main) { error in print(error) }
        let total = try await kept.run(returning: .total)
        let workflow = Workflow("forecast")
        let one = try workflow.add("one") { 1 }
        let two = try workflow.add("two", after: one) { one async in one + 1 }
        let all = try workflow.map("all", over: [1, 2]) { number in number * 2 }
        try workflow.add("sum", after: two, all) { two, all in all.reduce(two, +) }
        let report = try await workflow.run()
        let handle = TaskManager().add("three") { 3 }
        let three = try await handle.value
        print(city, total, report, three)

        """

    /// Members of an actor.
    private static let members = """
        private var city: City?
        private let address = URL(filePath: "/none")

        func load() async throws {
        \(lines)
        }

        func keep(_ address: URL) async throws {
            city = try await Pipeline.run("city") {
                URLLoadStep(address).retrying(.exponential())
                JSONDecodeStep<City>()
            }
        }

        func keep() async throws {
            city = try await Pipeline.run {
                URLLoadStep(address)
                JSONDecodeStep<City>()
            }
        }

        """

    private static let places = """
        func nonisolatedFunction() async throws {
        \(lines)
        }

        nonisolated func function() async throws {
        \(lines)
        }

        @MainActor
        func mainFunction() async throws {
        \(lines)
        }

        @MainActor
        final class Model {
        \(members)
        }

        actor Shop {
        \(members)
        }
        """
}
