import Foundation

/// The output of a recipe.
typealias Print = @Sendable (String) -> Void

/// A recipe with its name and arguments.
struct Recipe: Sendable {
    /// The arguments of a recipe.
    struct Words: Sendable {
        let words: [String]

        func url(_ index: Int = 0) throws -> URL {
            guard let url = URL(string: try word(index)) else { throw TooFew() }
            return url
        }

        func word(_ index: Int) throws -> String {
            guard words.indices.contains(index) else { throw TooFew() }
            return words[index]
        }

        func file(_ index: Int = 0) throws -> URL { URL(filePath: try word(index)) }

        var urls: [URL] { words.compactMap { URL(string: $0) } }
    }

    struct TooFew: Error {}

    let name: String
    /// The names of the arguments, for the usage message.
    let takes: String
    let cook: @Sendable (Words, @escaping Print) async throws -> Void

    init(
        _ name: String, _ takes: String = "",
        _ cook: @escaping @Sendable (Words, @escaping Print) async throws -> Void
    ) {
        self.name = name
        self.takes = takes
        self.cook = cook
    }
}
