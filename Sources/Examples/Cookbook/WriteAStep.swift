import Foundation
import Stepline

/// A custom step: a value with settings and a function.
struct KeepLines: StepBody {
    let word: String

    func process(_ text: String) throws -> [String] {
        let kept = text.split(whereSeparator: \.isNewline).map(String.init).filter { $0.contains(word) }
        if kept.isEmpty { throw NothingFound(word: word) }
        return kept
    }

    struct NothingFound: LocalizedError {
        let word: String
        var errorDescription: String? { "no line has \"\(word)\" in it" }
    }
}

enum WriteAStep {
    static func run(_ log: URL, print: Print) async throws {
        for word in ["error", "panic"] {
            let search = Pipeline("search") {
                FileLoadStep(log)
                BlockStep { (bytes: Data) in String(decoding: bytes, as: UTF8.self) }.named("read")
                KeepLines(word: word)
            }
            do {
                for line in try await search.run() { print(line) }
            } catch {
                print("\(error)")
            }
        }
    }
}
