/// The groups of a workflow, and the tasks of each; a task is in one group at most.
struct GroupTable {
    private(set) var names: [String] = []
    private var members: [String: [Int32]] = [:]
    private var owners: [Int32: String] = [:]

    subscript(_ name: String) -> [Int32] { members[name] ?? [] }

    mutating func make(_ name: String) {
        guard members[name] == nil else { return }
        names.append(name)
        members[name] = []
    }

    mutating func put(_ task: Int32, into name: String) {
        make(name)
        // The task moves: it is in one group at most.
        if let owner = owners[task] { members[owner]?.removeAll { $0 == task } }
        owners[task] = name
        members[name]?.append(task)
    }

    mutating func remove(_ task: Int32) {
        if let owner = owners.removeValue(forKey: task) { members[owner]?.removeAll { $0 == task } }
    }
}
