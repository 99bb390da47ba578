/// A change of a batch, or the begin and the end of one attempt merged into a single write.
struct JoinedChange {
    /// The index of the change, or of the begin.
    let place: Int
    /// The index of the attempt's end.
    var end: Int?
}

/// The begins that no other change of the same step has followed yet, with their places.
private struct OpenBegins {
    private static let mostInList = 16
    /// Short bodies end soon after they begin: comparing a few names costs less than hashing one.
    private var list: [(step: String, place: Int)] = []
    private var others: [String: Int] = [:]

    mutating func insert(_ step: String, at place: Int) {
        if list.count < Self.mostInList { list.append((step, place)) } else { others[step] = place }
    }

    mutating func remove(_ step: String) -> Int? {
        guard let index = list.firstIndex(where: { $0.step == step }) else {
            return others.isEmpty ? nil : others.removeValue(forKey: step)
        }
        return list.remove(at: index).place
    }
}

extension [StepChange] {
    /// Returns the changes in their order, with each begin merged with the end of the same attempt.
    ///
    /// Merging saves one row update for each short step. The outcome is the same as that of separate writes: a store
    /// that refuses the begin also refuses the end.
    func joined() -> [JoinedChange] {
        var result: [JoinedChange] = []
        result.reserveCapacity(count)
        // Without a pair there is nothing to merge.
        guard contains(where: \.isBeginning), contains(where: \.isEnd) else {
            for place in indices { result.append(JoinedChange(place: place)) }
            return result
        }
        var open = OpenBegins()
        for place in indices {
            let beginning = open.remove(self[place].step)
            if let beginning, self[place].isEnd, self[result[beginning].place].isBeginning(of: self[place]) {
                result[beginning].end = place
                continue
            }
            if self[place].isBeginning { open.insert(self[place].step, at: result.count) }
            result.append(JoinedChange(place: place))
        }
        return result
    }

    /// Returns the single change equivalent to a merged pair.
    subscript(_ joined: JoinedChange) -> StepChange {
        guard let place = joined.end else { return self[joined.place] }
        var end = self[place]
        // The store never sees the begin, so the end must carry its date.
        end.began = end.began ?? self[joined.place].began ?? self[joined.place].date
        return end
    }
}

extension StepChange {
    fileprivate var isBeginning: Bool {
        if case .began = kind { true } else { false }
    }

    /// Whether the change ends an attempt or suspends it for a retry.
    fileprivate var isEnd: Bool {
        switch kind {
        case .began, .cleared: false
        case .finished, .failed, .waiting, .cancelled: true
        }
    }

    fileprivate func isBeginning(of end: StepChange) -> Bool {
        isBeginning && attempt == end.attempt && token == end.token
    }
}
