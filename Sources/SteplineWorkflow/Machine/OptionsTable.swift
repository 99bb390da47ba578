/// The options of tasks that aren't the defaults; successive tasks with the same options share an entry.
struct OptionsTable: Sendable {
    private var entries = ContiguousArray<TaskOptions?>()
    /// How many tasks have each entry.
    private var users = ContiguousArray<Int32>()
    /// One more than the entry of each task, up to the last task that has one; 0 for none.
    private var places = ContiguousArray<Int32>()
    /// How many of the latest entries are compared with new options.
    private static let compared = 8

    subscript(_ number: Int32) -> TaskOptions? {
        let place = place(number)
        return place == 0 ? nil : entries[Int(place) - 1]
    }

    /// Sets the options of a task; they must have all objects of the former ones, which are released here.
    mutating func set(_ options: TaskOptions, of number: Int32) {
        _ = remove(number)
        var place = entries.count - 1
        let last = max(-1, place - Self.compared)
        while place > last, entries[place]?.isShared(with: options) != true { place -= 1 }
        if place == last {
            place = entries.count
            entries.append(options)
            users.append(0)
        }
        users[place] += 1
        while places.count <= Int(number) { places.append(0) }
        places[Int(number)] = Int32(place + 1)
    }

    /// Removes the options of a task; returns them if no other task has them.
    mutating func remove(_ number: Int32) -> TaskOptions? {
        let place = Int(place(number)) - 1
        guard place >= 0 else { return nil }
        places[Int(number)] = 0
        users[place] -= 1
        return users[place] == 0 ? entries[place].take() : nil
    }

    @inline(__always)
    private func place(_ number: Int32) -> Int32 {
        Int(number) < places.count ? places[Int(number)] : 0
    }
}
