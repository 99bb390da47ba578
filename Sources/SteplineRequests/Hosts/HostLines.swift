import SteplineSupport

/// The queues for hosts of a process, one for each clock: times of different clocks can't be compared.
final class HostLines: Sendable {
    private struct Entry {
        /// The clock; nil once it is gone, when another one may be at its address, and for a clock that is a value.
        weak var clock: (any StepClock & AnyObject)?
        let isForObject: Bool
        let line: HostLine
    }

    /// The limit of concurrent loads by one clock, which leaves most of a process's open files to other code.
    private static let mostInAll = 256

    static let shared = HostLines()

    /// The current queues: a simulation has its own, because the load that leaves starts the next one on its thread.
    static var here: HostLines { Stages.current?.own { HostLines() } ?? shared }

    private let ofSystem = HostLine(mostInAll: mostInAll)
    private let others = Locked<[ObjectIdentifier: Entry]>([:])

    /// Returns the queues of loads by a clock; clocks that are values share those of their type.
    func line(of clock: any StepClock) -> HostLine {
        if clock is SystemClock { return ofSystem }
        let object = clock as? any StepClock & AnyObject
        let key = object.map { ObjectIdentifier($0) } ?? ObjectIdentifier(type(of: clock))
        return others.withLock { others in
            if let entry = others[key], entry.clock === object { return entry.line }
            others = others.filter { !$0.value.isForObject || $0.value.clock != nil }
            let line = HostLine(mostInAll: Self.mostInAll)
            others[key] = Entry(clock: object, isForObject: object != nil, line: line)
            return line
        }
    }
}
