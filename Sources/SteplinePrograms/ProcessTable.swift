import Foundation
import SteplineSupport

/// A snapshot of the processes that are visible to this process.
///
/// Only Linux shows the environments of processes; on other platforms the table is empty.
struct ProcessTable {
    struct Entry {
        let pid: pid_t
        let parent: pid_t
        let group: pid_t
        /// The start time in ticks; with the pid it identifies the process uniquely.
        let start: Substring
        /// The marks of the programs it descends from, read from its environment.
        let marks: [String]
    }

    /// The environment variable with the marks, separated by colons.
    static let variable = "STEPLINE_PROGRAM"

    private(set) var entries: [pid_t: Entry] = [:]
    private(set) var children: [pid_t: [Entry]] = [:]
    private(set) var groups: [pid_t: [Entry]] = [:]
    private(set) var marked: [String: [Entry]] = [:]

    private static let latest = Locked<(began: UInt64, table: ProcessTable)?>(nil)

    /// Returns a snapshot; a process that starts or ends during the scan may be missing.
    ///
    /// Callers that arrive during a scan share the next one, since hundreds of programs may be stopped at once.
    static func now() -> ProcessTable {
        let asked = DispatchTime.now().uptimeNanoseconds
        return latest.withLock { latest in
            if let latest, latest.began >= asked { return latest.table }
            let began = DispatchTime.now().uptimeNanoseconds
            let table = ProcessTable()
            latest = (began, table)
            return table
        }
    }

    /// Returns whether no process of a group lives; false on platforms without process information.
    func showsNobody(in group: pid_t) -> Bool { entries[getpid()] != nil && groups[group] == nil }

    private init() {
        #if os(Linux)
            let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            for entry in names.compactMap({ name in pid_t(name).flatMap(Self.entry) }) {
                entries[entry.pid] = entry
                children[entry.parent, default: []].append(entry)
                groups[entry.group, default: []].append(entry)
                for mark in entry.marks { marked[mark, default: []].append(entry) }
            }
        #endif
    }

    #if os(Linux)
        /// Returns the entry of a process; nil if the process has ended or is a zombie.
        private static func entry(_ pid: pid_t) -> Entry? {
            let text = String(decoding: contents("/proc/\(pid)/stat"), as: UTF8.self)
            // The name is in parentheses and may contain parentheses, so search backwards.
            guard let end = text.utf8.lastIndex(of: UInt8(ascii: ")")) else { return nil }
            let fields = text[end...].split(separator: " ")
            guard fields.count > 20, fields[1] != "Z", fields[1] != "X", let parent = pid_t(fields[2]),
                let group = pid_t(fields[3])
            else { return nil }
            return Entry(pid: pid, parent: parent, group: group, start: fields[20], marks: marks(of: pid))
        }

        private static func marks(of pid: pid_t) -> [String] {
            let beginning = Array("\(variable)=".utf8)
            let all = contents("/proc/\(pid)/environ").split(separator: 0)
            guard let found = all.first(where: { $0.starts(with: beginning) }) else { return [] }
            return found.dropFirst(beginning.count).split(separator: UInt8(ascii: ":"))
                .map { String(decoding: $0, as: UTF8.self) }
        }

        /// Returns the contents of a file of unknown size; empty if the file can't be read.
        private static func contents(_ path: String) -> [UInt8] {
            let file = open(path, O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return [] }
            defer { close(file) }
            var all: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 1 << 14)
            while case let count = read(file, &piece, piece.count), count > 0 { all += piece[..<count] }
            return all
        }
    #endif
}
