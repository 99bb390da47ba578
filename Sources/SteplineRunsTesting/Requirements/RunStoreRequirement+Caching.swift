import Foundation
import SteplineRuns

extension RunStoreRequirement {
    /// Returns the range of dates from that second on.
    private static func since(_ seconds: Double = 0) -> ClosedRange<Date> {
        moment(seconds)...(.distantFuture)
    }

    // A store without a cache returns nil for the first look-up and passes.
    static let caching: [RunStoreRequirement] = [
        RunStoreRequirement("DR-23: a finished step is found by its cache key while it stands") { trial in
            let store = trial.store
            let first = try store.openTest()
            try first.finish("a", cachedAs: "k", at: moment(10))
            guard try store.cachedStep("k", endedIn: since()) != nil else { return }
            let a = CachedStep("a", of: .test)
            try trial.expect("the step", trial.reopened().cachedStep("k", endedIn: since(10)), is: a)
            try trial.expect(
                "one that ended too long ago", store.cachedStep("k", endedIn: since(11)), is: nil)
            try trial.expect("another key", store.cachedStep("K", endedIn: since()), is: nil)
            try first.finish("plain")
            try trial.expect("no key", store.cachedStep("", endedIn: since()), is: nil)

            let other = RunID("mirror", key: "next")
            let second = try store.openTest(2, id: other)
            try second.finish("a", token: 2, cachedAs: "k", at: moment(20))
            let next = CachedStep("a", of: other)
            try trial.expect("the one that ended last", store.cachedStep("k", endedIn: since()), is: next)
            let until = moment()...moment(19)
            try trial.expect("one that ended early enough", store.cachedStep("k", endedIn: until), is: a)
            try trial.expect(
                "one that ended too late", store.cachedStep("k", endedIn: moment()...moment(9)), is: nil)
            _ = try second.write([StepChange(.cleared, of: "a", attempt: 1, token: 2, at: moment(21))])
            try trial.expect("once the last one is cleared", store.cachedStep("k", endedIn: since()), is: a)
            try second.finish("a", attempt: 2, token: 2, cachedAs: "l", at: moment(22))
            try trial.expect("once it is another", store.cachedStep("k", endedIn: since()), is: a)
            try trial.expect("by its new key", store.cachedStep("l", endedIn: since()), is: next)
            second.close()
            first.close()
            try trial.expect("that the first run is forgotten", store.forget(.test), is: true)
            try trial.expect("once its run is forgotten", store.cachedStep("k", endedIn: since()), is: nil)
        },
        RunStoreRequirement("DR-23: a failed or refused result is found by no key") { trial in
            let run = try trial.store.openTest()
            var failed = StepChange(.failed(.test), of: "a", attempt: 1, token: 1, at: moment(1))
            failed.cacheKey = "k"
            _ = try run.write([failed])
            try trial.expect("a failed step", trial.store.cachedStep("k", endedIn: since()), is: nil)
            try run.finish("b", attempt: 2)
            try run.finish("b", attempt: 1, cachedAs: "k", at: moment(2))
            try trial.expect("a refused end", trial.store.cachedStep("k", endedIn: since()), is: nil)
            run.close()
        },
    ]
}

extension OpenRun {
    /// Finishes an attempt whose result is cached under a key.
    fileprivate func finish(
        _ step: String, attempt: Int = 1, token: UInt64 = 1, cachedAs key: String, at date: Date
    ) throws {
        var change = StepChange(.finished(Data("v".utf8)), of: step, attempt: attempt, token: token, at: date)
        change.cacheKey = key
        _ = try write([change])
    }
}
