import Foundation

/// Finds the descendants of a program, also those in other sessions.
///
/// A child that starts a session leaves the program's group, and an orphan loses its parent. But all descendants
/// inherit the program's environment, which contains a mark unique to the program. The alternative is
/// `PR_SET_CHILD_SUBREAPER`, which makes this process the parent of orphans. It would apply to the whole process and
/// for ever: intended daemons would be adopted too, and their program would be unknown.
///
/// A process that cleared its environment and lost its parent by a double fork isn't found.
struct Descendants {
    /// The value of ``ProcessTable/variable`` for the program: this process's marks, followed by the new mark.
    let environment: String
    private let mark: String
    /// The descendants found so far with their start times, to recognize them after their parents have ended.
    private var known: [pid_t: Substring] = [:]

    init(inheriting outer: String?) {
        mark = UUID().uuidString
        environment = [outer, mark].compactMap(\.self).joined(separator: ":")
    }

    /// Returns the living descendants outside the program's group.
    ///
    /// `program` is the pid, or nil after the program was reaped, when the pid may belong to another process.
    mutating func find(in table: ProcessTable, program: pid_t?) -> [pid_t] {
        var found: [pid_t: ProcessTable.Entry] = [:]
        var toVisit = table.marked[mark] ?? []
        toVisit += known.compactMap { pid, start in
            table.entries[pid].flatMap { $0.start == start ? $0 : nil }
        }
        if let program {
            toVisit += [table.entries[program]].compactMap(\.self) + (table.groups[program] ?? [])
        }
        while let next = toVisit.popLast() {
            guard found.updateValue(next, forKey: next.pid) == nil else { continue }
            toVisit += table.children[next.pid] ?? []
        }
        known = found.mapValues(\.start)
        return found.values.filter { $0.group != program }.map(\.pid)
    }
}
