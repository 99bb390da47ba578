import SteplineWorkflow

extension RunOffers {
    /// An ended element of a growing map.
    struct EndedElement {
        let step: String
        let body: BodyElsewhere
        /// The codec of what it has found.
        let codec: ResultCodec
    }

    /// The largest number of results that are read at once.
    private static let mostResults = 32

    /// Reads what elements have found; nothing for elements that were reset meanwhile.
    static func found(
        by elements: [EndedElement], of run: RunID, in store: any RunStore
    ) throws -> [String: GrownBytes.Found] {
        var found: [String: GrownBytes.Found] = [:]
        // A part at a time: the results may be large, and only what was found is kept.
        for start in stride(from: 0, to: elements.count, by: mostResults) {
            let some = elements[start..<min(start + mostResults, elements.count)]
            for (element, data) in zip(some, try store.results(of: some.map(\.step), in: run)) {
                do {
                    let own = try data.flatMap { try GrownBytes.found(in: $0, element.codec) }
                    // A reset has cleared the result, unless the attempt still counts.
                    if own == nil, element.body.isRunning { throw ElementGone(name: element.step) }
                    found[element.step] = own ?? GrownBytes.Found(elements: [], depth: 0)
                } catch {
                    throw RunStoreError(
                        .resultDamaged, store: store.name,
                        "the elements that step \"\(element.step)\" has found can't be read",
                        underlying: error)
                }
            }
        }
        return found
    }
}
