import Foundation
import SteplineSupport

/// The signals of a process that cancel its work.
public struct ProcessSignals: OptionSet, Sendable, Hashable {
    /// The signals as bits.
    public let rawValue: Int

    /// Creates a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// SIGINT: Ctrl-C in a terminal.
    public static let interrupt = ProcessSignals(rawValue: 1)
    /// SIGTERM: the request of a system or supervisor to end.
    public static let terminate = ProcessSignals(rawValue: 2)
    /// SIGHUP: the terminal was closed.
    public static let hangUp = ProcessSignals(rawValue: 4)

    fileprivate var numbers: [Int32] {
        let known: [(ProcessSignals, Int32)] = [
            (.interrupt, SIGINT), (.terminate, SIGTERM), (.hangUp, SIGHUP),
        ]
        return known.filter { contains($0.0) }.map(\.1)
    }
}

extension Workflow {
    /// Runs the workflow like ``run()``, and cancels it when a signal comes.
    ///
    ///     do {
    ///         try await workflow.run(cancellingOn: [.interrupt, .terminate])
    ///     } catch is CancellationError {
    ///         print("interrupted")
    ///     }
    ///
    /// The first signal cancels the workflow: bodies are told to stop, and cleanups run. The second ends the process at
    /// once, with 128 plus its number. Afterwards the signals have their default actions again.
    ///
    /// - Parameter signals: The signals, which the process must not handle elsewhere meanwhile.
    /// - Returns: The report of the run.
    /// - Throws: The errors of ``run()``; `CancellationError` after a signal.
    @discardableResult
    public func run(cancellingOn signals: ProcessSignals) async throws -> RunReport {
        try await run(cancellingOn: signals, sentBy: nil)
    }

    package func run(cancellingOn signals: ProcessSignals, sentBy sent: SentSignals?) async throws
        -> RunReport
    {
        // Before the run starts: a signal in between would end the process.
        let watch = SignalWatch(for: sent, signals.numbers) { [self] number in
            cancel(CancellationReason(.requested, "signal \(number)"))
        }
        defer { watch.stop() }
        return try await run()
    }
}
