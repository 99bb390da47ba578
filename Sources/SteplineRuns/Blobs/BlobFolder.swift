import Foundation
import SteplineSupport

/// The folder of large results beside a store; each file is named by the SHA-256 of its bytes.
///
/// Equal results share a file. The table `blobs` records which runs use which file.
struct BlobFolder: Sendable {
    private static let beginningOfTemporaries = "new-"

    let path: String
    /// The largest size of a file, for tests of a full disk.
    let limit: Int

    init(path: String, limit: Int = .max) {
        self.path = path
        self.limit = limit
    }

    /// Writes bytes under their hash, atomically and durably.
    ///
    /// Replaces an existing file of that name, which may be damaged.
    func keep(_ data: Data, as sum: [UInt8]) throws {
        try makeFolder()
        let temporary = "\(path)/\(Self.beginningOfTemporaries)\(UUID().uuidString)"
        // Write, synchronize, then rename: a file with its final name is complete, even after a power failure.
        do {
            let file = try SyncedFile(creating: temporary)
            try data.withUnsafeBytes { try file.write($0, limit: limit) }
            try file.sync()
            guard rename(temporary, place(of: sum)) == 0 else { throw SystemFailure("rename") }
        } catch {
            unlink(temporary)
            throw error
        }
        // Make the new name durable.
        try SyncedFile.syncFolder(path)
    }

    /// Returns whether there is a file for that hash.
    func has(_ sum: [UInt8]) -> Bool { access(place(of: sum), F_OK) == 0 }

    /// Returns the unchecked bytes stored under a hash; nil if there is no file.
    func bytes(of sum: [UInt8]) throws -> Data? {
        do {
            return try Data(contentsOf: URL(fileURLWithPath: place(of: sum)))
        } catch {
            // The file exists but can't be read: that isn't a missing result.
            if has(sum) { throw SystemFailure("read") }
            return nil
        }
    }

    func remove(_ sum: [UInt8]) { unlink(place(of: sum)) }

    /// The names of all files.
    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }

    /// Removes those files that have no reference: results whose row was never committed, and incomplete files.
    ///
    /// The caller holds a write transaction, so that no other process adds a reference meanwhile.
    func remove(_ names: some Sequence<String>, except isNamed: ([UInt8]) throws -> Bool) rethrows {
        for name in names {
            if let sum = Self.sum(named: name) {
                if try !isNamed(sum) { remove(sum) }
            } else if name.hasPrefix(Self.beginningOfTemporaries) {
                // Left by a process that died while writing.
                unlink("\(path)/\(name)")
            }
        }
    }

    private func place(of sum: [UInt8]) -> String {
        "\(path)/\(SHA256.digits(sum))"
    }

    private static func sum(named name: String) -> [UInt8]? {
        let digits = Array(name.utf8)
        guard digits.count == 64 else { return nil }
        var sum: [UInt8] = []
        for place in stride(from: 0, to: 64, by: 2) {
            guard let byte = UInt8(String(decoding: digits[place...place + 1], as: UTF8.self), radix: 16)
            else {
                return nil
            }
            sum.append(byte)
        }
        return sum
    }

    private func makeFolder() throws {
        if mkdir(path, 0o700) == 0 {
            // Make the new folder's name durable.
            try SyncedFile.syncFolder(path.outerFolder)
        } else if errno != EEXIST {
            throw SystemFailure("mkdir")
        }
    }
}
