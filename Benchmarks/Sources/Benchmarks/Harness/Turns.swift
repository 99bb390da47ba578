/// The measurements of contenders in turns, A B A B …, so that a machine whose speed drifts is as slow for one
/// as for the other.
struct Turns<Contender: Hashable> {
    /// The figures of each round.
    private var figures: [Contender: [[Double]]] = [:]

    /// Has each contender measure its figures once a round; one that isn't to be had measures none.
    init(rounds: Int, of contenders: [Contender], _ measure: (Contender) throws -> [Double]) rethrows {
        for _ in 0..<Sizes.rounds(rounds) {
            for contender in contenders { figures[contender, default: []].append(try measure(contender)) }
        }
    }

    /// Nil where it wasn't measured.
    func median(_ contender: Contender, _ figure: Int = 0) -> Double? {
        let values = rounds(contender, figure).compactMap(\.self)
        return values.isEmpty ? nil : Benchmarks.median(values)
    }

    /// The median of the ratios of two contenders' figures, taken round by round; nil where the other isn't to be had.
    func ratio(_ contender: Contender, to other: Contender, _ figure: Int = 0) -> Double? {
        ratio(contender, figure, to: other, figure)
    }

    /// The same of two figures, which may be one contender's; what a contender didn't measure of itself holds no bound.
    func ratio(_ contender: Contender, _ figure: Int, to other: Contender, _ otherFigure: Int) -> Double? {
        let rounds = zip(rounds(contender, figure), rounds(other, otherFigure))
        let ratios = rounds.compactMap { own, theirs in theirs.map { (own ?? .infinity) / $0 } }
        return ratios.isEmpty ? nil : Benchmarks.median(ratios)
    }

    /// The figures of each round.
    private func rounds(_ contender: Contender, _ figure: Int) -> [Double?] {
        (figures[contender] ?? []).map { $0.count > figure ? $0[figure] : nil }
    }
}
