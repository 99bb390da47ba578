import SteplineSupport

/// The patterns that a query has met, so that each is read once.
struct IRegexpMatchers {
    private struct Key: Hashable {
        let pattern: ExactText
        let isWhole: Bool
    }

    /// All are forgotten when there are more.
    private static let limit = 64

    private var known: [Key: IRegexpMatcher?] = [:]

    /// The matcher of a pattern that is part of the query.
    mutating func matcher(for regexp: IRegexp, isWhole: Bool) -> IRegexpMatcher {
        let key = Key(pattern: ExactText(regexp.pattern), isWhole: isWhole)
        if case .some(.some(let matcher)) = known[key] { return matcher }
        let matcher = IRegexpMatcher(regexp, isWhole: isWhole)
        remember(matcher, key)
        return matcher
    }

    /// The matcher of a pattern that stands in the document, nil if it is none, and what it took to make it.
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
