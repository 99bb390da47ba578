import Testing

/// The compiler's errors for newcomers' mistakes: on the wrong line, with the names of the types.
@Suite("Wrong programs at compile time", .timeLimit(.minutes(5)))
struct WrongProgramTests {
    @Test(
        "PL-27: an error is on the line that is wrong, and names the step and both types",
        .enabled(if: Compiler.isThere, Compiler.absence), arguments: WrongProgram.all)
    func errors(of program: WrongProgram) async throws {
        let errors = try #require(try await Self.errors.value[program.name])
        let lines = program.body.split(separator: "\n", omittingEmptySubsequences: false)
        let marked = lines.indices.filter { lines[$0].hasSuffix("// error") }
        #expect(!marked.isEmpty)
        #expect(Set(errors.map(\.line)) == Set(marked), "\(errors)")
        let text = errors.map(\.message).joined(separator: "\n")
        for word in program.words { #expect(text.contains(word), "\(word)\n\(text)") }
        for phrase in Self.unhelpful { #expect(!text.contains(phrase), "\(text)") }
    }

    @Test("the guide shows what the compiler says")
    func guide() throws {
        let name = "a closure that takes something else"
        let program = try #require(WrongProgram.all.first { $0.name == name })
        let page = try documentedText(of: "Sources/Stepline/Documentation.docc/FirstPipeline.md")
        for word in program.words { #expect(page.contains("'\(word)'")) }
    }

    @Test("the programs have names of their own")
    func names() {
        #expect(Set(WrongProgram.all.map(\.name)).count == WrongProgram.all.count)
    }

    /// Errors of the compiler that name no cause.
    private static let unhelpful = [
        "no exact matches", "failed to produce diagnostic", "unable to type-check", "ambiguous use",
        "instance member 'run'", "bug report",
    ]

    /// The errors of each program, whose lines count from 0.
    ///
    /// All are compiled at once, as each call of the compiler takes a second.
    private static let errors = Task<[String: [Compiler.Finding]], any Error> {
        var lines = WrongProgram.prelude.split(separator: "\n", omittingEmptySubsequences: false)
        var places: [(name: String, start: Int)] = []
        for (number, program) in WrongProgram.all.enumerated() {
            lines.append("func program\(number)() async throws {")
            places.append((program.name, lines.count + 1))
            lines += program.body.split(separator: "\n", omittingEmptySubsequences: false)
            lines.append("}")
        }
        let found = try await #require(Compiler()).errors(
            in: lines.joined(separator: "\n") + "\n",
            // A fraction of the effort after which the compiler gives up, and which does not depend on the machine.
            options: ["-parse-as-library", "-Xfrontend", "-solver-scope-threshold=20000"])
        var errors = Dictionary(uniqueKeysWithValues: places.map { ($0.name, [Compiler.Finding]()) })
        for error in found {
            guard let place = places.last(where: { $0.start <= error.line }) else {
                throw PreludeError(error: error)
            }
            errors[place.name]?.append(
                Compiler.Finding(line: error.line - place.start, message: error.message))
        }
        return errors
    }

    private struct PreludeError: Error { let error: Compiler.Finding }
}
