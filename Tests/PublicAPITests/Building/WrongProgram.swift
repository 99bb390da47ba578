import Testing

/// A program as somebody writes it who doesn't know the library, and what the compiler has to say of it.
struct WrongProgram: CustomTestStringConvertible, Sendable {
    let name: String
    /// The body of a function; `// error` marks the lines that errors must be on, and no others.
    let body: String
    /// The words that the errors of those lines must contain: the step, the types.
    let words: [String]

    init(_ name: String, _ body: String, says words: String...) {
        self.name = name
        self.body = body
        self.words = words
    }

    var testDescription: String { name }

    static let all = pipelines + steps + kept + workflows + managers

    /// The beginning of all programs.
    static let prelude = """
        import Foundation
        import Stepline

        struct City: Codable, Sendable { let name: String }
        struct Opaque: Sendable {}
        struct CountWords: StepBody {
            func process(_ text: String) -> Int { text.count }
        }
        final class Shout: BasicStep<String, String>, @unchecked Sendable {
            override func process(_ text: String) throws -> String { text.uppercased() }
        }
        final class Ask: AsyncStep<String, City>, @unchecked Sendable {
            override func process(_ text: String) async throws -> City { City(name: text) }
        }
        final class Knock: StepOperation, Step, @unchecked Sendable {}
        extension ContentKey where Value == Int { static var total: Self { .init("total") } }
        extension ContentKey where Value == String { static var article: Self { .init("article") } }
        func half(_ number: Int) throws -> Int { number / 2 }
        func slowHalf(_ number: Int) async -> Int { number / 2 }
        let url = URL(filePath: "/none")
        let isOn = CommandLine.arguments.count > 1

        """
}
