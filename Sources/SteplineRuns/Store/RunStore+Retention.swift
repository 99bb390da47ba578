import Foundation

extension RunStore {
    /// Removes the runs whose retention is over, if the store has one.
    ///
    /// An error changes nothing for the run that has just ended: the next end of a run tries again.
    func forgetOld(at now: Date) {
        guard let retention else { return }
        let date = now.addingTimeInterval(-(retention / .seconds(1)))
        // Most ends of runs find nothing to remove: reading is cheaper than giving space back.
        let runs = (try? runs(of: nil)) ?? []
        let isOld = runs.contains { $0.ending != nil && !$0.isOpen && $0.ended.map { $0 < date } == true }
        if isOld { _ = try? forget(endedBefore: date, of: nil) }
    }
}
