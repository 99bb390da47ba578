import Foundation
import SteplineEngine
package import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Equal concurrent loads, combined into one transfer.
///
/// A flight is a shared transfer with its waiting loads. The first load of a key starts the flight, later ones join it.
/// The last load that leaves cancels the transfer. Each end is delivered by a separate job. A flight's number guards
/// against late events of an earlier flight with the same key.
package final class SharedLoads: Sendable {
    package typealias Load = Transfer<MemorySink>
    package typealias Completion = @Sendable (Load.End) -> Void
    package typealias Report = @Sendable (TransferProgress) -> Void

    /// The shared loads of this process.
    package static let shared = SharedLoads()

    private struct Flight {
        /// The number of the load that started the flight; a flight and its first load have the same number.
        let number: Int
        var transfer: Load?
        var waiting: [Int: (report: Report, complete: Completion)] = [:]
    }

    private struct State {
        var flights: [SharedLoadKey: Flight] = [:]
        var lastNumber = 0
    }

    private let state = Locked(State())

    package init() {}

    /// Joins the flight of a key, or starts one.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - plan: The plan of the transfer.
    ///   - transport: The transport.
    ///   - clock: The clock of all time limits.
    ///   - report: Called with each progress.
    ///   - complete: Called once with the end, unless the load leaves before. A load that leaves while the flight ends
    ///     may still get the call after its cancellation has returned, and must ignore the call.
    ///   - joined: Called with the subscription that leaves the flight, before a request is sent.
    package func join(
        _ key: SharedLoadKey, _ plan: TransferPlan, over transport: any Transport, clock: any StepClock,
        report: @escaping Report, complete: @escaping Completion, joined: (Subscription) -> Void
    ) {
        let (number, flight, isNew) = state.withLock { state in
            state.lastNumber += 1
            let number = state.lastNumber
            let isNew = state.flights[key] == nil
            state.flights[key, default: Flight(number: number)].waiting[number] = (report, complete)
            return (number, state.flights[key]?.number ?? number, isNew)
        }
        // Before the start: an immediate end must find the subscription in place.
        joined(Subscription { self.leave(key, flight, number) })
        if isNew { start(key, flight, plan, transport, clock) }
    }

    private func start(
        _ key: SharedLoadKey, _ number: Int, _ plan: TransferPlan, _ transport: any Transport,
        _ clock: any StepClock
    ) {
        let transfer = Load(
            plan, to: MemorySink(), over: transport, clock: clock,
            report: { [weak self] progress in self?.tell(key, number, progress) },
            complete: { end in self.end(key, number, end) })
        // The only load may have left before its transfer was stored.
        let isNeeded = state.withLock { state in
            guard state.flights[key]?.number == number else { return false }
            state.flights[key]?.transfer = transfer
            return true
        }
        if isNeeded { transfer.start() }
    }

    private func tell(_ key: SharedLoadKey, _ number: Int, _ progress: TransferProgress) {
        let flight = state.withLock { $0.flights[key] }
        // Progress of an abandoned transfer must not reach a new flight.
        guard let flight, flight.number == number else { return }
        for waiting in flight.waiting.values { waiting.report(progress) }
    }

    private func end(_ key: SharedLoadKey, _ number: Int, _ end: Load.End) {
        let flight: Flight? = state.withLock { state in
            guard state.flights[key]?.number == number else { return nil }
            return state.flights.removeValue(forKey: key)
        }
        // Separate jobs: the continuation of one load must not delay another load.
        for waiting in flight?.waiting.sorted(by: { $0.key < $1.key }) ?? [] {
            Workers.shared.perform { _ in waiting.value.complete(end) }
        }
    }

    private func leave(_ key: SharedLoadKey, _ flight: Int, _ number: Int) {
        let (left, abandoned) = state.withLock { state -> ((Report, Completion)?, Flight?) in
            // The flight has ended: its completions are on their way.
            guard state.flights[key]?.number == flight else { return (nil, nil) }
            let left = state.flights[key]?.waiting.removeValue(forKey: number)
            guard state.flights[key]?.waiting.isEmpty == true else { return (left, nil) }
            return (left, state.flights.removeValue(forKey: key))
        }
        // Cancel without the lock: cancelling calls the transport.
        abandoned?.transfer?.cancel()
        // Release the user's closures after unlock.
        withExtendedLifetime(left) {}
    }
}

/// The values that two loads must share to use one transfer.
package struct SharedLoadKey: Hashable, Sendable {
    private let transport: ObjectIdentifier
    private let clock: ObjectIdentifier
    private let url: URL
    private let headers: [String: String]
    private let cachePolicy: UInt
    private let options: LoadOptions.SharingKey
    private let idleTimeout: Duration

    /// Creates a key; nil for a load that can't be shared, which is anything but a GET without a body.
    package init?(_ plan: TransferPlan, over transport: any Transport, clock: any StepClock) {
        guard plan.options.sharesEqualLoads, !plan.hasBody, let url = plan.request.url,
            (plan.request.httpMethod ?? "GET") == "GET"
        else { return nil }
        self.transport = ObjectIdentifier(transport as AnyObject)
        self.clock = ObjectIdentifier(clock as AnyObject)
        self.url = url
        let lines = (plan.request.allHTTPHeaderFields ?? [:]).map { ($0.key.lowercased(), $0.value) }
        headers = Dictionary(lines) { first, _ in first }
        cachePolicy = UInt(plan.request.cachePolicy.rawValue)
        options = plan.options.sharingKey
        idleTimeout = plan.idleTimeout
    }
}
