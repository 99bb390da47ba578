/// Suggests corrections for misspelt words.
enum Guess {
    /// Returns the candidate nearest to a text if it is near enough; the first among equals.
    static func nearest(to text: String, among candidates: some Sequence<String>) -> String? {
        let typed = Array(text.lowercased().unicodeScalars.prefix(100))
        let limit = max(1, typed.count / 3)
        var best: (name: String, distance: Int)?
        for candidate in candidates where !candidate.isEmpty {
            let distance = distance(typed, Array(candidate.lowercased().unicodeScalars.prefix(100)))
            let isBegin = typed.count > 1 && candidate.lowercased().hasPrefix(text.lowercased())
            let cost = isBegin ? min(distance, 1) : distance
            if cost <= limit, cost < best?.distance ?? .max { best = (candidate, cost) }
        }
        return best?.name
    }

    /// Returns the nearest candidate as a hint: `did you mean "retry"?`.
    static func hint(for text: String, among candidates: some Sequence<String>) -> String? {
        nearest(to: text, among: candidates).map { "did you mean \"\($0)\"?" }
    }

    /// Returns `; did you mean X?` or an empty text.
    static func question(_ text: String, among candidates: some Sequence<String>) -> String {
        nearest(to: text, among: candidates).map { "; did you mean \($0)?" } ?? ""
    }

    /// Returns the edit distance: letters changed, added, dropped or swapped with their neighbour.
    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var cost = min(last[column + 1], current[column]) + 1
                cost = min(cost, last[column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
