/// The lists whose elements tasks were added for, by the numbers of those tasks: one closure for each list, and nothing
/// for each task.
struct ElementLists: Sendable {
    /// Tasks with successive numbers, and the place of the first one's element.
    private struct Run: Sendable {
        var numbers: Range<Int32>
        let place: Int
        let list: List
    }

    /// A list and the name of its map.
    struct List: Sendable {
        let map: String
        let type: any Sendable.Type
        let element: @Sendable (Int) -> any Sendable
    }

    /// In the order of their numbers.
    private var runs: [Run] = []

    /// Notes which tasks were added for the elements of a list, in its order.
    mutating func add(_ numbers: [Int32], of list: List) {
        let start = runs.count
        for (place, number) in numbers.enumerated() {
            // Another thread may have added a task between two of them.
            if runs.count > start, runs[runs.count - 1].numbers.upperBound == number {
                runs[runs.count - 1].numbers = runs[runs.count - 1].numbers.lowerBound..<(number + 1)
            } else {
                runs.append(Run(numbers: number..<(number + 1), place: place, list: list))
            }
        }
        runs.sort { $0.numbers.lowerBound < $1.numbers.lowerBound }
    }

    /// Returns the list that a task was added for, and the place of the task's element; nil if there is none.
    func element(of number: Int32) -> (list: List, place: Int)? {
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].numbers.upperBound <= number { low = middle + 1 } else { high = middle }
        }
        guard low < runs.count, runs[low].numbers.contains(number) else { return nil }
        return (runs[low].list, runs[low].place + Int(number - runs[low].numbers.lowerBound))
    }
}
