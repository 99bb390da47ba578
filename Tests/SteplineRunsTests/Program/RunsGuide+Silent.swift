@testable import SteplineRuns

extension RunsGuide {
    /// For tests that don't look at what is said to do next.
    static var silent: RunsGuide {
        RunsGuide { _ in
            ""
        } retry: { _ in
            ""
        } cancel: { _ in
            ""
        }
    }
}
