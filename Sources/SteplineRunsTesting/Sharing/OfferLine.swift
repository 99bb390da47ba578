/// Offers that wait for a worker: the most urgent first, and of equally urgent ones that whose run has had the fewest turns.
///
/// A binary heap. What was taken out otherwise leaves it when its turn comes.
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
        var place = heap.count - 1
        while place > 0, heap[place].isBefore(heap[(place - 1) / 2]) {
            heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    mutating func popFirst() -> Entry? {
        guard let first = heap.first else { return nil }
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
