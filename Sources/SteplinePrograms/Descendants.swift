import Foundation

/// Finds what a program has started, and what that has started, also in sessions of their own.
///
/// The program's group is no help with those, nor is their parent once it has ended. But all of them have the program's
/// environment, and in it a mark that no other program has. To have the system hand us such orphans instead
/// (`PR_SET_CHILD_SUBREAPER`) would be for the whole process and for ever: a daemon that is left behind on purpose would
/// be ours as well, and nothing would tell which program it came from.
///
/// What has neither the mark nor a parent that is known, since it emptied its environment and went off in two
/// steps, isn't found.
struct Descendants {
    /// What the program's environment says in ``ProcessTable/variable``: its mark behind those that we have ourselves.
    let environment: String
    private let mark: String
    /// What was found, with the time that it began: it is known though its parent may have ended since.
    private var known: [pid_t: Substring] = [:]

    init(inheriting outer: String?) {
        mark = UUID().uuidString
        environment = [outer, mark].compactMap(\.self).joined(separator: ":")
    }

    /// Those that run, but the program and its group; `program` is nil once its number may be another's.
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
