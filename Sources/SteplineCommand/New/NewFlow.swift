import Foundation
import SteplineSupport

/// A template workflow file in YAML.
struct NewFlow {
    /// The name of the file, with its ending.
    let name: String

    /// Creates the file's description; adds the ending `.yaml` to a name without an ending.
    init(named name: String) throws(UsageError) {
        let file = name.lastName
        let ending = (file as NSString).pathExtension
        guard !file.isEmpty, file != ".", file != "..", name.utf8.last != UInt8(ascii: "/") else {
            throw UsageError("'\(name)' can't be the name of a file")
        }
        guard ending.isEmpty || FlowSource.Format(ofName: name) == .yaml else {
            throw UsageError(
                "--flow writes YAML: name the file \(name.dropLast(ending.count))yaml, not \(name)")
        }
        self.name = ending.isEmpty ? name + ".yaml" : name
    }

    /// Writes the file to a place where there is none.
    func write(to place: URL) throws {
        try Data(Self.text.utf8).write(to: place, options: .withoutOverwriting)
    }

    private static let text = """
        # Counts the words of a text, and saves a table. "man stepline-flow" lists all keys.
        parameters:
          text: to be or not to be

        tasks:
          words:
            steps:
              - value: ${text}
              - transform: split(lower(it), ' ')

          counts:
            after: words
            steps:
              # Quotes are needed for text that begins with { [ " ' * & ! | > % @ or has ": " or " #" in it.
              - each: "{ word: it }"
              - transform: entries(group(it, 'word'))
              - each: "{ word: it.key, count: length(it.value) }"
              - transform: reverse(sort(it, 'count'))
              - save: words.csv

        result: ${length(tasks.counts)} words, most often "${first(tasks.counts).word}"

        """
}
