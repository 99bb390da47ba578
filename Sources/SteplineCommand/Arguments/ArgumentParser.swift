import SteplineSupport

/// Parses the words after a subcommand's name by its option table.
///
/// Accepts `--name value`, `--name=value`, `-n value`, `-nvalue`, several letters in one word, and `--no-name`. `--`
/// ends the options, and `-` is an operand. Options and operands may be mixed. An option with a value takes the next
/// word, even if that begins with a dash.
struct ArgumentParser {
    let rows: [OptionRow]

    private var result = Arguments()

    init(_ rows: [OptionRow]) { self.rows = rows }

    /// Returns the arguments; throws the first error.
    static func parse(_ words: some Sequence<String>, by rows: [OptionRow]) throws(UsageError) -> Arguments {
        var parser = ArgumentParser(rows)
        var words = Array(words)[...]
        while let word = words.popFirst() {
            if word == "--" {
                parser.result.operands += words
                break
            } else if word.hasPrefix("--") {
                try parser.readLong(String(word.dropFirst(2)), &words)
            } else if word.hasPrefix("-"), word.count > 1 {
                try parser.readShort(word.dropFirst(), &words)
            } else {
                parser.result.operands.append(word)
            }
        }
        return parser.result
    }

    private mutating func readLong(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
        let halves = word.halves(at: "=")
        let (name, value) = (halves?.before ?? word, halves?.after)
        if let row = rows.first(where: { $0.name == name }) {
            return try take(row, "--\(name)", value, &rest)
        }
        if name.hasPrefix("no-"),
            let row = rows.first(where: { $0.isNegatable && $0.name == name.dropFirst(3) })
        {
            if value != nil { throw UsageError("--\(name) takes no value") }
            return result.add(false, for: row)
        }
        if let row = rows.first(where: { $0.formerName == name }) {
            throw UsageError("--\(name) is now --\(row.name)")
        }
        let names = rows.flatMap { $0.isNegatable ? [$0.name, "no-" + $0.name] : [$0.name] }
        let affirmed = rows.first { "no-" + $0.name == name }?.name
        let nearest = affirmed ?? Guess.nearest(to: name, among: names)
        let meant = nearest.map { "; did you mean --\($0)?" } ?? ""
        throw UsageError("unknown option --\(name)" + meant)
    }

    private mutating func readShort(_ word: Substring, _ rest: inout ArraySlice<String>) throws(UsageError) {
        var letters = word
        while let letter = letters.popFirst() {
            guard let row = rows.first(where: { $0.short == letter }) else {
                let long = Guess.nearest(to: String(word), among: rows.map(\.name))
                let isLongMeant = letters.count == word.count - 1 && word.count > 2
                let question = isLongMeant ? long.map { "; did you mean --\($0)?" } ?? "" : ""
                throw UsageError("unknown option -\(letter)" + question)
            }
            if row.value == nil {
                result.add(true, for: row)
            } else {
                let value = letters.isEmpty ? nil : String(letters)
                letters = ""
                try take(row, "-\(letter)", value, &rest)
            }
        }
    }

    private mutating func take(
        _ row: OptionRow, _ spelling: String, _ given: String?, _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        guard let value = row.value else {
            if given != nil { throw UsageError("\(spelling) takes no value") }
            return result.add(true, for: row)
        }
        guard let text = given ?? rest.popFirst() else {
            throw UsageError("\(spelling) needs a value: \(value.expected)")
        }
        guard let made = row.parse(text) else {
            throw UsageError(
                "\(spelling) needs \(value.expected), not '\(text)'"
                    + Guess.question(text, among: value.choices))
        }
        result.add(made, for: row)
    }
}
