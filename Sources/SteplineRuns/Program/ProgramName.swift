/// The default names of programs.
enum ProgramName {
    /// Converts a type name to lower case with a dash before each word: `HTTPMirror2` becomes `http-mirror2`.
    static func dashed(_ type: String) -> String {
        let letters = Array(type.prefix { $0 != "<" })
        var name = ""
        for (place, letter) in letters.enumerated() {
            let follows = place > 0 && letters[place - 1] != "_"
            // A capital starts a word after a small letter, or before one: `HTTPMirror` has two words.
            let isNew = follows && !letters[place - 1].isUppercase
            let endsCapitals =
                follows && place + 1 < letters.count && letters[place + 1].isLowercase
            if letter.isUppercase, isNew || endsCapitals { name += "-" }
            name += letter == "_" ? "-" : letter.lowercased()
        }
        return name
    }
}
