/// A priority queue of free offers: highest priority first, then round-robin between runs, then oldest.
///
/// A binary heap. Claimed or removed offers stay in the heap as stale entries until they reach the front.
/// `OfferBoard.claim` skips these entries.
struct OfferLine {
    struct Entry {
        let priority: Int
        let turn: Int
        let id: Int

        func isBefore(_ other: Entry) -> Bool {
            if priority != other.priority { return priority > other.priority }
            return turn != other.turn ? turn < other.turn : id < other.id
        }
    }

    private var heap: [Entry] = []

    var first: Entry? { heap.first }

    mutating func insert(_ entry: Entry) {
        heap.append(entry)
        // Sift up.
        var place = heap.count - 1
        while place > 0, heap[place].isBefore(heap[(place - 1) / 2]) {
            heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    mutating func popFirst() -> Entry? {
        guard let first = heap.first else { return nil }
        // Move the last entry to the root, then sift down.
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2]
            where child < heap.count && heap[child].isBefore(heap[least]) {
                least = child
            }
            guard least != place else { return first }
            heap.swapAt(place, least)
            place = least
        }
    }
}
