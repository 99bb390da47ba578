import SteplineSupport

/// The compiled patterns of a query, each compiled once.
struct IRegexpMatchers {
    private struct Key: Hashable {
        let pattern: ExactText
        let isWhole: Bool
    }

    /// The maximum number of patterns; the cache is cleared beyond it.
    private static let limit = 64

    private var known: [Key: IRegexpMatcher?] = [:]

    /// Returns the matcher of a literal pattern of the query.
    mutating func matcher(for regexp: IRegexp, isWhole: Bool) -> IRegexpMatcher {
        let key = Key(pattern: ExactText(regexp.pattern), isWhole: isWhole)
        if case .some(.some(let matcher)) = known[key] { return matcher }
        let matcher = IRegexpMatcher(regexp, isWhole: isWhole)
        remember(matcher, key)
        return matcher
    }

    /// Returns the matcher of a pattern from the document, and the effort of compiling it.
    ///
    /// The matcher is nil if the pattern is invalid.
    mutating func matcher(
        forPattern pattern: String, isWhole: Bool
    ) throws(JSONError) -> (matcher: IRegexpMatcher?, effort: Int) {
        let key = Key(pattern: ExactText(pattern), isWhole: isWhole)
        if let matcher = known[key] { return (matcher, 1) }
        let regexp = try IRegexp(pattern)
        let matcher = regexp.map { IRegexpMatcher($0, isWhole: isWhole) }
        remember(matcher, key)
        return (matcher, pattern.utf8.count + (regexp?.program.count ?? 0))
    }

    private mutating func remember(_ matcher: IRegexpMatcher?, _ key: Key) {
        if known.count >= IRegexpMatchers.limit { known = [:] }
        known[key] = .some(matcher)
    }
}
