import Foundation
import Testing

/// The compiler's errors for chains of steps, from snippets compiled against the modules of this test.
@Suite("Builders at compile time", .timeLimit(.minutes(5)), .enabled(if: Compiler.isThere, Compiler.absence))
struct BuilderCompileTests {
    @Test(
        "PL-27: a step whose input isn't what the step before makes is a compile error, and all else compiles"
    )
    func lines() async throws {
        let found = try await #require(Compiler()).errors(in: Self.snippet, options: ["-parse-as-library"])
        let lines = Self.snippet.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        let expected = Set(lines.filter { $0.element.contains("// error") }.map { $0.offset + 1 })
        #expect(Set(found.map(\.line)) == expected, "\(found)")
    }

    private static let snippet = """
        import Foundation
        import Stepline

        struct City: Codable, Sendable {}
        let text = BlockStep { "text" }
        let count = BlockStep { (text: String) in text.count }
        let decode = BlockStep { (data: Data) in try JSONDecoder().decode(City.self, from: data) }
        let half = BlockStep { (number: Int) in number / 2 }
        let double = BlockStep { (number: Int) async in number * 2 }
        let perhaps = BlockStep { (number: Int?) in "text" }
        let bag = BlockStep { (bag: Content) in bag }
        let load = FileLoadStep(URL(filePath: "/a"))
        let isOn = CommandLine.arguments.count > 1

        // Chains that compile, with their types.
        func good() async throws {
            let city: City = try await Pipeline.run { load; decode }
            let number: Int = try await Pipeline.run { text; count; half; double }
            let anywhere: Int = try await Pipeline.run { text; count; perhaps; bag; text; load; bag; count }
            let choice: Int = try await Pipeline.run { text; count; if isOn { half } else { double } }
            let loop: Int = try await Pipeline.run { text; count; for _ in 0..<3 { half } }
            let option: Int = try await Pipeline.run { text; count; if isOn { half; double } }
            let beside: Int = try await Pipeline.run { text; decode.byKeys(); count }
            let nothing: Int = try await Pipeline.run { BlockStep {}; decode.byKeys(); bag; decode.byKeys(); count }
            let chain: Int = try await Pipeline.run {
                text
                count
                if isOn { half; double } else if CommandLine.argc > 3 { double } else { half }
                switch CommandLine.argc {
                case 1: half
                case 2: double; half
                default: double
                }
                for _ in 0..<3 { if isOn { half } }
                if isOn { double } else if CommandLine.argc > 3 { half }
            }
            let given: City = try await Pipeline.run(content: Content()) { decode }
            let made = Pipeline("made") { count; double }
            let again: Int = try await made.run()
            _ = (city, number, anywhere, choice, loop, option, beside, nothing, chain, given, again)
        }

        // Chains that don't compile.
        let one = Pipeline {
            text
            half  // error
        }
        let two = Pipeline {
            load
            count  // error
        }
        let three = Pipeline {
            BlockStep { () -> Int? in 3 }
            half  // error
        }
        let four = Pipeline {
            text
            if isOn { count } else { BlockStep { (text: String) in [text] } }  // error
        }
        let five = Pipeline {
            text
            for _ in 0..<3 { count }  // error
        }
        func bad() async throws {
            let wrong: City = try await Pipeline.run { text; count }  // error
        }
        let final = BlockStep<Int, Int>()  // error
        final class Own: BlockStep<Int, Int> {}  // error
        final class OwnLoad: FileLoadStep {}  // error
        final class OwnSave: FileSaveStep {}  // error
        extension StepOperation { func set() { error = nil } }  // error
        extension StepOperation { func give() { pipeline = nil } }  // error
        """
}
