import Foundation
import SteplineSupport

/// The entries of a store, by name.
package protocol ResponseEntries: AnyObject, Sendable {
    subscript(name: String) -> StoredResponse? { get set }
}

/// The entries of a store in memory.
final class MemoryEntries: ResponseEntries {
    private struct State {
        var entries: [String: StoredResponse] = [:]
        /// The names in order of insertion.
        var order: [String] = []
        var size = 0

        mutating func remove(_ name: String) {
            guard let old = entries.removeValue(forKey: name) else { return }
            order.removeAll { $0 == name }
            size -= old.body.count
        }
    }

    private let limit: Int
    private let state = Locked(State())

    init(limit: Int) {
        self.limit = limit
    }

    subscript(name: String) -> StoredResponse? {
        get { state.withLock { $0.entries[name] } }
        set {
            state.withLock { state in
                // The new entry replaces the old one and becomes the newest.
                state.remove(name)
                guard let newValue, newValue.body.count <= limit else { return }
                state.entries[name] = newValue
                state.order.append(name)
                state.size += newValue.body.count
                while state.size > limit, let oldest = state.order.first { state.remove(oldest) }
            }
        }
    }
}

/// The entries of a store in a directory, one file per entry: a line of JSON, then the body.
final class DirectoryEntries: ResponseEntries {
    private struct Head: Codable {
        let name: String
        let count: Int
        let checksum: UInt64
        let response: StoredResponse
    }

    private let directory: URL

    init(directory: URL) {
        self.directory = directory
    }

    private func file(_ name: String) -> URL { directory.appending(path: name + ".response") }

    subscript(name: String) -> StoredResponse? {
        // The body follows the first line feed, which JSON on one line never contains.
        get {
            guard let data = try? Data(contentsOf: file(name)), let end = data.firstIndex(of: 10),
                let head = try? JSONDecoder().decode(Head.self, from: data[..<end]), head.name == name
            else { return nil }
            let body = data[data.index(after: end)...]
            guard body.count == head.count, checksum(of: Data(body)) == head.checksum else { return nil }
            var response = head.response
            response.body = Data(body)
            return response
        }
        set {
            guard let newValue else {
                try? FileManager.default.removeItem(at: file(name))
                return
            }
            let head = Head(
                name: name, count: newValue.body.count, checksum: checksum(of: newValue.body),
                response: newValue)
            guard var data = try? JSONEncoder().encode(head) else { return }
            data.append(10)
            data.append(newValue.body)
            try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            do {
                try data.write(to: file(name), options: .atomic)
            } catch {
                // The present file belongs to an older response and must not be used as this one.
                try? FileManager.default.removeItem(at: file(name))
            }
        }
    }
}
