import Foundation

/// Where a recipe puts its lines.
typealias Print = @Sendable (String) -> Void

/// A recipe as the command knows it.
struct Recipe: Sendable {
    /// What a recipe is given on the command line.
    struct Words: Sendable {
        let words: [String]

        func url(_ index: Int = 0) throws -> URL {
            guard words.indices.contains(index), let url = URL(string: words[index]) else { throw TooFew() }
            return url
        }

        func file(_ index: Int = 0) throws -> URL {
            guard words.indices.contains(index) else { throw TooFew() }
            return URL(filePath: words[index])
        }

        var urls: [URL] { words.compactMap { URL(string: $0) } }
    }

    struct TooFew: Error {}

    let name: String
    /// The arguments, as its usage shows them.
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
