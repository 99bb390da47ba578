/// Guesses at what was meant by a word that isn't known.
enum Suggestion {
    /// The known word nearest to the one given, if it is near enough to be what was meant.
    static func nearest(to word: String, among known: some Sequence<String>) -> String? {
        Guess.nearest(to: word, among: known)
    }

    /// The guess as a hint: `did you mean "retry"?`.
    static func hint(for word: String, among known: some Sequence<String>) -> String? {
        nearest(to: word, among: known).map { "did you mean \"\($0)\"?" }
    }
}
