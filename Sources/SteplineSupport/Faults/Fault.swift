/// Something that goes wrong on purpose, so that one can see what becomes of it.
///
///     simulation.faults = [
///         .fail(task: "parse", attempt: 1), .delay(task: "load", by: .seconds(90)),
///         .network(.reset, every: 7), .crash(at: .commit(3)), .random(rate: 0.1),
///     ]
///
/// A simulation has them for all that is played in it: tasks of workflows, elements of maps (`page[3]`), steps of
/// pipelines and managed tasks, by their names. A workflow has some of its own for real runs, by its options, which reach
/// its tasks and those inside of it. Of several that are meant for one attempt, the first counts. Without any there is
/// nothing that takes time.
public struct Fault: Sendable {
    /// How a request goes wrong.
    public enum Network: Sendable, Hashable {
        /// The connection is lost before a response.
        case reset
        /// The connection is lost after so many bytes of the body.
        case truncated(after: Int)
        /// Nobody listens.
        case refused
        /// Nothing ever comes.
        case silence
        /// The server answers with this status and no body.
        case status(Int)
    }

    /// When a durable run is torn off; commits are counted from 1.
    public enum Moment: Sendable, Hashable {
        /// Before that commit is kept.
        case commit(Int)
        /// When that commit is kept, and nobody has heard of it.
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

    /// An attempt of a task, or all of them, fails: before its body begins, or when all is done that the body does.
    public static func fail(
        task: String, attempt: Int? = nil, afterBody: Bool = false, with error: (any Error)? = nil
    ) -> Fault {
        let error = error ?? InjectedFault("‘\(task)’ fails on purpose")
        return Fault(kind: .body(task: task, attempt: attempt, .fails(error, afterBody: afterBody)))
    }

    /// The body of an attempt, or of all of them, begins later; the attempt's time-out counts the delay.
    public static func delay(task: String, attempt: Int? = nil, by delay: Duration) -> Fault {
        Fault(kind: .body(task: task, attempt: attempt, .delayed(delay)))
    }

    /// An attempt, or all of them, does nothing, and ends when it is stopped.
    public static func hang(task: String, attempt: Int? = nil) -> Fault {
        Fault(kind: .body(task: task, attempt: attempt, .hangs))
    }

    /// That part of all attempts fails, before or after their bodies, or begins up to a minute late, and that part of all
    /// requests that a transport double is sent goes wrong.
    ///
    /// Which ones follows from the task's name and the attempt's number, or from the request and how often it was sent,
    /// and from the seed (a simulation adds its own), and from nothing else: so it is the same whatever comes first.
    public static func random(rate: Double, seed: UInt64 = 0) -> Fault {
        Fault(kind: .random(rate: rate, seed: seed))
    }

    /// Each n-th request that a transport double is sent goes wrong, in place of its rules' answer.
    public static func network(_ how: Network, every number: Int) -> Fault {
        Fault(kind: .network(how, every: max(1, number)))
    }

    /// A durable run is torn off as if its process were killed: it throws, and what wasn't kept is lost.
    ///
    /// The commits of a simulation are counted over all of its runs.
    public static func crash(at moment: Moment) -> Fault { Fault(kind: .crash(moment)) }

    /// A durable run is torn off at that part of all commits, before or after they are kept.
    public static func crash(rate: Double, seed: UInt64 = 0) -> Fault {
        Fault(kind: .crashes(rate: rate, seed: seed))
    }

    /// That part of all timers of a simulation's clock goes off late, by anything up to so much.
    public static func lateTimers(rate: Double, by most: Duration, seed: UInt64 = 0) -> Fault {
        Fault(kind: .lateTimers(rate: rate, most: max(most, .zero), seed: seed))
    }
}

extension Fault: CustomStringConvertible {
    /// The fault as it is written.
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

    /// Whether it may well do nothing.
    var isLeftToChance: Bool {
        switch kind {
        case .random, .crashes, .lateTimers: true
        case .body, .network, .crash: false
        }
    }
}

extension Fault {
    /// The task whose attempts it is meant for; nil if for no certain one.
    package var task: String? {
        if case .body(let task, _, _) = kind { task } else { nil }
    }

    /// Whether a real run of a workflow has that which it is meant for.
    package var isForRealRuns: Bool {
        switch kind {
        case .body, .random, .crash, .crashes: true
        case .network, .lateTimers: false
        }
    }
}

/// What a ``Fault`` fails with that has no error of its own.
package struct InjectedFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// What goes wrong, in words.
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// What goes wrong with one attempt.
package enum BodyFault: Sendable {
    case fails(any Error, afterBody: Bool)
    case delayed(Duration)
    case hangs
}
