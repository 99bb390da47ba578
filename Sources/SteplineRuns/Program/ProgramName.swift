/// Names of programs, made of names of types.
enum ProgramName {
    /// The name in lower case, with a dash before each word: `HTTPMirror2` is `http-mirror2`.
    static func dashed(_ type: String) -> String {
        let letters = Array(type.prefix { $0 != "<" })
        var name = ""
        for (place, letter) in letters.enumerated() {
            let follows = place > 0 && letters[place - 1] != "_"
            let isNew = follows && !letters[place - 1].isUppercase
            let endsCapitals =
                follows && place + 1 < letters.count && letters[place + 1].isLowercase
            if letter.isUppercase, isNew || endsCapitals { name += "-" }
            name += letter == "_" ? "-" : letter.lowercased()
        }
        return name
    }
}
