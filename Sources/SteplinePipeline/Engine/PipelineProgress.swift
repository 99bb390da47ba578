import Foundation
import SteplineSupport

/// The Foundation object that shows a pipeline's progress.
///
/// What it says never lags behind an event or the outcome. Where it can be observed, though, it must not be
/// changed under the pipeline's lock; so there it asks the pipeline whenever it is read, and its observers are
/// told a moment later.
final class PipelineProgress: Progress, @unchecked Sendable {  // changed by one thread at a time
    #if !canImport(Darwin)
        /// Those of all pipelines change one at a time: they may be parts of one whole, and Foundation has no lock here.
        private static let tree = Locked(UInt8(0))
    #endif

    /// Asks the pipeline how many units are done; nil if that is gone.
    private let ask: @Sendable () -> Int64?
    private let shown = Locked(Shown())

    init(asking ask: @escaping @Sendable () -> Int64?, cancelling cancel: @escaping @Sendable () -> Void) {
        self.ask = ask
        super.init(parent: nil, userInfo: nil)
        show(ProgressTracker.unknown)
        cancellationHandler = cancel
    }

    /// What is shown, and who is about to show it.
    private struct Shown {
        private(set) var units = ProgressTracker.unknown
        private var isChanging = false

        /// Takes note of units unless more have been shown; whether whoever says so is to show them.
        mutating func begin(_ new: Int64) -> Bool {
            guard new > units || units <= 0 else { return false }
            units = new
            defer { isChanging = true }
            return !isChanging
        }

        /// What is to be shown behind those units; nil if that was all.
        mutating func next(behind old: Int64) -> Int64? {
            guard units == old else { return units }
            isChanging = false
            return nil
        }
    }

    /// Shows how many units are done, unless more have been shown.
    ///
    /// By one thread at a time and under no lock where it can be observed: an observer's code may have more to be shown.
    func show(_ units: Int64) {
        guard shown.withLock({ $0.begin(units) }) else { return }
        var next: Int64? = units
        while let units = next {
            #if canImport(Darwin)
                change(to: units)
            #else
                Self.tree.withLock { _ in change(to: units) }
            #endif
            next = shown.withLock { $0.next(behind: units) }
        }
    }

    private func change(to units: Int64) {
        super.totalUnitCount = Self.total(of: units)
        super.completedUnitCount = max(units, 0)
    }

    private static func total(of units: Int64) -> Int64 { units < 0 ? -1 : ProgressTracker.whole }

    #if canImport(Darwin)
        static let isObservable = true

        /// What the pipeline knows; of one that is gone, what it told last.
        private var units: Int64 {
            ask() ?? shown.withLock { $0.units }
        }

        override var totalUnitCount: Int64 {
            get { Self.total(of: units) }
            set { super.totalUnitCount = newValue }
        }

        override var completedUnitCount: Int64 {
            get { max(units, 0) }
            set { super.completedUnitCount = newValue }
        }

        override var fractionCompleted: Double { Double(max(units, 0)) / Double(ProgressTracker.whole) }
        override var isIndeterminate: Bool { units < 0 }
        override var isFinished: Bool { units == ProgressTracker.whole }
    #else
        static let isObservable = false
    #endif
}
