import Foundation
import SteplineEngine
import SteplineSupport

/// The Foundation object that shows a pipeline's progress.
///
/// Its values never lag behind an event or the outcome. On Darwin the object is observable, so it must not change under
/// the pipeline's lock. There its properties read the pipeline's state, and its observers are notified after unlock.
final class PipelineProgress: Progress, @unchecked Sendable {  // changed by one thread at a time
    #if !canImport(Darwin)
        /// Serializes the changes of all pipelines: they may share a parent, and Foundation has no lock here.
        private static let tree = Locked(UInt8(0))
    #endif

    /// Returns the completed units of the pipeline; nil if the pipeline was freed.
    private let ask: @Sendable () -> Int64?
    private let shown = Locked(Shown())
    /// The callbacks of `onProgress`; removed by their subscriptions and owners.
    let listeners = Locked<[ProgressListener<PipelineStepProgress>]>([])

    init(asking ask: @escaping @Sendable () -> Int64?, cancelling cancel: @escaping @Sendable () -> Void) {
        self.ask = ask
        super.init(parent: nil, userInfo: nil)
        show(ProgressTracker.unknown)
        cancellationHandler = cancel
    }

    /// The shown units, and whether a thread is currently showing them.
    private struct Shown {
        private(set) var units = ProgressTracker.unknown
        private var isChanging = false

        /// Records the units unless more were shown; returns whether the caller must show them.
        mutating func begin(_ new: Int64) -> Bool {
            // Unknown (-1) and 0 may replace each other; later values only grow.
            guard new > units || units <= 0 else { return false }
            units = new
            defer { isChanging = true }
            return !isChanging
        }

        /// Returns the units to show after `old`; nil if there are no newer ones.
        mutating func next(after old: Int64) -> Int64? {
            // Clearing the flag and this check share the lock: a concurrent `begin` either is seen here or becomes the
            // changer.
            guard units == old else { return units }
            isChanging = false
            return nil
        }
    }

    /// Shows the completed units, unless more were shown.
    ///
    /// One thread at a time changes the object, without a lock where it is observable, because observers may report
    /// more progress.
    func show(_ units: Int64) {
        guard shown.withLock({ $0.begin(units) }) else { return }
        var next: Int64? = units
        // Another thread may record more units during a change: this thread then shows those as well.
        while let units = next {
            #if canImport(Darwin)
                change(to: units)
            #else
                Self.tree.withLock { _ in change(to: units) }
            #endif
            next = shown.withLock { $0.next(after: units) }
        }
    }

    private func change(to units: Int64) {
        // The total first: a completed count above the total would exceed a fraction of 1.
        super.totalUnitCount = Self.total(of: units)
        super.completedUnitCount = max(units, 0)
    }

    private static func total(of units: Int64) -> Int64 { units < 0 ? -1 : ProgressTracker.whole }

    #if canImport(Darwin)
        static let isObservable = true

        /// The pipeline's units; after the pipeline was freed, the units shown last.
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
