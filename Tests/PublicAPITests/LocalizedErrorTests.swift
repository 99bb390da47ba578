import Foundation
import Stepline
import SteplineRuns
import SteplineRunsTesting
import SteplineTesting
import Testing

@Suite("Localized errors", .timeLimit(.minutes(5)))
struct LocalizedErrorTests {
    /// All public errors: a new one must be added here.
    private static let types: [any Error.Type] = [
        CSVError.self, CrawlError.self, DurableRunError.self, ExplorationFailure.self, FileError.self,
        JSONError.self,
        KeptFailure.self, PipelineError.self, RequestError.self, RunStoreConformanceError.self,
        RunStoreError.self, SimulationError.self, TaskManagerError.self, URLAuthenticatorError.self,
        URLPageError.self, WorkflowError.self, XMLError.self,
    ]

    @Test("the list holds every public error of the sources, and each conforms to LocalizedError")
    func all() throws {
        let declaration = #/public (?:final class|struct|enum|class) (\w+)/#
        let conformance = #/^extension (\w+):/#
        var publicNames: Set<String> = []
        var names: Set<String> = []
        var extended: Set<String> = []
        for file in try documentedFiles(in: "Sources", ending: ".swift") where !file.contains("/Examples/") {
            for line in try documentedText(of: file).split(separator: "\n") where !line.contains("//") {
                let isPublic = line.firstMatch(of: declaration)
                if let isPublic { publicNames.insert(String(isPublic.1)) }
                // Only what follows the colon names protocols.
                guard let colon = line.firstIndex(of: ":") else { continue }
                let protocols = Set(line[colon...].split { !$0.isLetter }.map(String.init))
                guard !protocols.isDisjoint(with: ["Error", "LocalizedError", "ErrorWithCause"]) else {
                    continue
                }
                if let isPublic { names.insert(String(isPublic.1)) }
                if let match = line.firstMatch(of: conformance) { extended.insert(String(match.1)) }
            }
        }
        names.formUnion(extended.intersection(publicNames))
        #expect(names == Set(Self.types.map { "\($0)" }))
        for type in Self.types { #expect(type is any LocalizedError.Type, "\(type)") }
    }

    @Test("localizedDescription is the description")
    func texts() async throws {
        for error in try await Self.samples() {
            #expect(error.localizedDescription == "\(error)")
            #expect(!error.localizedDescription.contains("could not be completed"))
        }
    }

    private static func samples() async throws -> [any Error] {
        var samples: [any Error] = [JSONError(.unexpectedEnd, message: "the text ends", line: 2, column: 3)]
        func collect(_ body: () async throws -> Void) async {
            do { try await body() } catch { samples.append(error) }
        }
        struct Row: Decodable { var a: Int }
        await collect { _ = try JSON(parsing: "[1,") }
        await collect { _ = try XML.Document(string: "<a>") }
        await collect {
            do {
                _ = try await Pipeline.run(on: Data("a\nx\n".utf8)) { CSVParseStep(as: Row.self) }
            } catch let error as PipelineError {
                throw try #require(error.underlying(as: CSVError.self))
            }
        }
        await collect { try Workflow("night").addCleanup("tidy up", after: []) {} }
        await collect { try await Workflow("empty", options: .init(maximumConcurrency: 0)).run() }
        await collect { _ = try await TaskManager(options: .init(maximumWaiting: 0)).add("late") {}.value }
        await collect { _ = try await Pipeline.run { FileLoadStep(URL(filePath: "/nowhere/at all")) } }
        await collect {
            let simulation = Simulation(seed: 1)
            try await simulation.run { _ in }
            try await simulation.run { _ in }
        }
        await collect {
            try await explore(seeds: 1...1) { simulation in simulation.expect(false, "one is two") }
        }
        #expect(samples.count == 10)
        return samples
    }
}
