/// Something that is to happen to a worker or an owner, or to a server.
struct Event {
    enum Kind: UInt8 {
        case start
        /// A connection has been made, or refused.
        case connected, refused
        /// A statement is over at the server; its answer has come.
        case finished, answered
        /// A pause is over before something is tried again.
        case retry
        case bodyEnd, look, notice
        case listen, listening
        case tick, renew
        case failure, comeback, loss, giveUp
        case second
    }

    let kind: Kind
    let actor: Int32
    /// Which statement, body or life of a server is meant: what comes late for it changes nothing.
    var number: UInt32 = 0
    var claim: UInt32 = 0
}

/// The queue of events, the earliest first; at one time, in the order of adding.
///
/// A heap of four branches, which is half as deep as one of two.
struct EventQueue {
    private struct Entry {
        let time: Double
        let order: UInt64
        let event: Event

        func isBefore(_ other: Entry) -> Bool {
            time != other.time ? time < other.time : order < other.order
        }
    }

    private var heap: [Entry] = []
    private var count: UInt64 = 0

    mutating func add(_ event: Event, at time: Double) {
        count += 1
        let entry = Entry(time: time, order: count, event: event)
        heap.append(entry)
        var place = heap.count - 1
        while place > 0, entry.isBefore(heap[(place - 1) / 4]) {
            heap[place] = heap[(place - 1) / 4]
            place = (place - 1) / 4
        }
        heap[place] = entry
    }

    mutating func next() -> (time: Double, event: Event)? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        guard !heap.isEmpty else { return (first.time, first.event) }
        var place = 0
        while 4 * place + 1 < heap.count {
            var least = 4 * place + 1
            for child in (least + 1)..<max(least + 1, min(least + 4, heap.count))
            where heap[child].isBefore(heap[least]) {
                least = child
            }
            guard heap[least].isBefore(last) else { break }
            heap[place] = heap[least]
            place = least
        }
        heap[place] = last
        return (first.time, first.event)
    }
}
