/// A change of a list, or the beginning of an attempt and its end, which are kept at once.
struct JoinedChange {
    /// Where the change stands, or the beginning.
    let place: Int
    /// Where the end of the attempt stands.
    var end: Int?
}

extension [StepChange] {
    /// The changes in their order, each beginning joined with the end of the same attempt that follows it.
    ///
    /// Kept one after the other they come to the same: what refuses the beginning refuses the end.
    func joined() -> [JoinedChange] {
        var result: [JoinedChange] = []
        result.reserveCapacity(count)
        guard contains(where: \.isBeginning), contains(where: \.isEnd) else {
            for place in indices { result.append(JoinedChange(place: place)) }
            return result
        }
        /// Where in the result the beginning of a step stands that nothing has followed yet.
        var open: [String: Int] = [:]
        for place in indices {
            let step = self[place].step
            if self[place].isEnd, let beginning = open.removeValue(forKey: step),
                self[result[beginning].place].isBeginning(of: self[place])
            {
                result[beginning].end = place
                continue
            }
            open[step] = self[place].isBeginning ? result.count : nil
            result.append(JoinedChange(place: place))
        }
        return result
    }

    /// The one change that comes to the same.
    subscript(_ joined: JoinedChange) -> StepChange {
        guard let place = joined.end else { return self[joined.place] }
        var end = self[place]
        end.began = end.began ?? self[joined.place].began ?? self[joined.place].date
        return end
    }
}

extension StepChange {
    fileprivate var isBeginning: Bool {
        if case .began = kind { true } else { false }
    }

    /// Whether it tells how an attempt ended.
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
