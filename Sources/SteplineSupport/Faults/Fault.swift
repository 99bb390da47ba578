/// A fault to inject, in order to test the reaction to failures.
///
///     simulation.faults = [
///         .fail(task: "parse", attempt: 1), .delay(task: "load", by: .seconds(90)),
///         .network(.reset, every: 7), .crash(at: .commit(3)), .random(rate: 0.1),
///     ]
///
/// A simulation's faults apply to everything in it: tasks of workflows, elements of maps (`page[3]`), steps of
/// pipelines and managed tasks, by name. A workflow's own faults, in its options, also apply to real runs, for its
/// tasks and inner tasks. If several faults match an attempt, the first one is used. Without faults there is no cost.
public struct Fault: Sendable {
    /// The failure of a request.
    public enum Network: Sendable, Hashable {
        /// The connection is lost before the response.
        case reset
        /// The connection is lost after the given number of body bytes.
        case truncated(after: Int)
        /// The connection is refused.
        case refused
        /// No response arrives.
        case silence
        /// The server answers with this status and an empty body.
        case status(Int)
    }

    /// The moment at which a durable run is killed; commits are counted from 1.
    public enum Moment: Sendable, Hashable {
        /// Before the commit is stored.
        case commit(Int)
        /// After the commit is stored, before it is reported.
        case afterCommit(Int)
    }

    enum Kind: Sendable {
        case body(task: String, attempt: Int?, BodyFault)
        case random(rate: Double, seed: UInt64)
        case network(Network, every: Int)
        case crash(Moment)
        case crashes(rate: Double, seed: UInt64)
        case lateTimers(rate: Double, most: Duration, seed: UInt64)
    }

    let kind: Kind

    /// Fails one attempt of a task, or all attempts.
    ///
    /// - Parameters:
    ///   - task: The name of the task.
    ///   - attempt: The number of the attempt; nil for all.
    ///   - afterBody: Whether the body runs completely before the failure.
    ///   - error: The error; nil for an error of the fault itself.
    /// - Returns: The fault.
    public static func fail(
        task: String, attempt: Int? = nil, afterBody: Bool = false, with error: (any Error)? = nil
    ) -> Fault {
        let error = error ?? InjectedFault("‘\(task)’ fails on purpose")
        return Fault(kind: .body(task: task, attempt: attempt, .fails(error, afterBody: afterBody)))
    }

    /// Delays the body of one attempt, or of all attempts; the attempt's time-out includes the delay.
    public static func delay(task: String, attempt: Int? = nil, by delay: Duration) -> Fault {
        Fault(kind: .body(task: task, attempt: attempt, .delayed(delay)))
    }

    /// Makes one attempt, or all attempts, hang until it is stopped.
    public static func hang(task: String, attempt: Int? = nil) -> Fault {
        Fault(kind: .body(task: task, attempt: attempt, .hangs))
    }

    /// Injects faults into a fraction of all attempts and requests.
    ///
    /// An attempt fails before or after its body, or begins up to a minute late. Requests are affected only in a
    /// transport double. The choice depends on the task's name and attempt, or on the request and its count. It also
    /// depends on the seeds of the fault and the simulation, and on nothing else. The order of events doesn't matter.
    ///
    /// - Parameters:
    ///   - rate: The fraction of affected attempts and requests.
    ///   - seed: The seed.
    /// - Returns: The fault.
    public static func random(rate: Double, seed: UInt64 = 0) -> Fault {
        Fault(kind: .random(rate: rate, seed: seed))
    }

    /// Fails each n-th request of a transport double, instead of its rules' answer.
    public static func network(_ how: Network, every number: Int) -> Fault {
        Fault(kind: .network(how, every: max(1, number)))
    }

    /// Kills a durable run: the run throws, and everything that wasn't stored is lost.
    ///
    /// A simulation counts the commits of all its runs.
    public static func crash(at moment: Moment) -> Fault { Fault(kind: .crash(moment)) }

    /// Kills a durable run at a fraction of all commits, before or after they are stored.
    public static func crash(rate: Double, seed: UInt64 = 0) -> Fault {
        Fault(kind: .crashes(rate: rate, seed: seed))
    }

    /// Delays a fraction of a simulation's timers by up to `most`.
    public static func lateTimers(rate: Double, by most: Duration, seed: UInt64 = 0) -> Fault {
        Fault(kind: .lateTimers(rate: rate, most: max(most, .zero), seed: seed))
    }
}

extension Fault: CustomStringConvertible {
    /// The fault as source text.
    public var description: String {
        switch kind {
        case .body(let task, let attempt, let fault):
            let place = "task: \"\(task)\"" + (attempt.map { ", attempt: \($0)" } ?? "")
            return switch fault {
            case .fails(_, let afterBody): ".fail(\(place)\(afterBody ? ", afterBody: true" : ""))"
            case .delayed(let delay): ".delay(\(place), by: \(delay))"
            case .hangs: ".hang(\(place))"
            }
        case .random(let rate, let seed): return ".random(rate: \(rate), seed: \(seed))"
        case .network(let how, let every): return ".network(.\(how), every: \(every))"
        case .crash(let moment): return ".crash(at: .\(moment))"
        case .crashes(let rate, let seed): return ".crash(rate: \(rate), seed: \(seed))"
        case .lateTimers(let rate, let most, let seed):
            return ".lateTimers(rate: \(rate), by: \(most), seed: \(seed))"
        }
    }

    /// Whether the fault may have no effect.
    var isLeftToChance: Bool {
        switch kind {
        case .random, .crashes, .lateTimers: true
        case .body, .network, .crash: false
        }
    }
}

extension Fault {
    /// The task of the fault; nil if it concerns no particular task.
    package var task: String? {
        if case .body(let task, _, _) = kind { task } else { nil }
    }

    /// Whether the fault can have an effect in a workflow's real run.
    package var isForRealRuns: Bool {
        switch kind {
        case .body, .random, .crash, .crashes: true
        case .network, .lateTimers: false
        }
    }
}

/// The error of a ``Fault`` that has no error of its own.
package struct InjectedFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// The description of the fault.
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// The fault of one attempt.
package enum BodyFault: Sendable {
    case fails(any Error, afterBody: Bool)
    case delayed(Duration)
    case hangs
}
