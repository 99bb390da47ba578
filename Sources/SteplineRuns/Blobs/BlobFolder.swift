import Foundation
import SteplineSupport

/// The folder beside a store with the large results, each a file that is named by its SHA-256.
struct BlobFolder: Sendable {
    private static let beginningOfTemporaries = "new-"

    let path: String
    /// How many bytes fit, for tests of a full disk.
    let limit: Int

    init(path: String, limit: Int = .max) {
        self.path = path
        self.limit = limit
    }

    /// Keeps bytes under their sum: whole, and on the disk for good.
    ///
    /// What stands there already is replaced, since it may be damaged.
    func keep(_ data: Data, as sum: [UInt8]) throws {
        try makeFolder()
        let temporary = "\(path)/\(Self.beginningOfTemporaries)\(UUID().uuidString)"
        do {
            let file = try SyncedFile(creating: temporary)
            try data.withUnsafeBytes { try file.write($0, limit: limit) }
            try file.sync()
            guard rename(temporary, place(of: sum)) == 0 else { throw SystemFailure("rename") }
        } catch {
            unlink(temporary)
            throw error
        }
        try SyncedFile.syncFolder(path)
    }

    /// Whether there is a file for that sum.
    func has(_ sum: [UInt8]) -> Bool { access(place(of: sum), F_OK) == 0 }

    /// The bytes that are kept under that sum, for the caller to check; nil if there is no file for it.
    func bytes(of sum: [UInt8]) throws -> Data? {
        do {
            return try Data(contentsOf: URL(fileURLWithPath: place(of: sum)))
        } catch {
            if has(sum) { throw SystemFailure("read") }
            return nil
        }
    }

    func remove(_ sum: [UInt8]) { unlink(place(of: sum)) }

    /// Removes what nobody names: results whose row was never committed, and what was never written to its
    /// end.
    ///
    /// Nobody may be about to name one meanwhile.
    func removeAll(except isNamed: ([UInt8]) throws -> Bool) rethrows {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in names {
            if let sum = Self.sum(named: name) {
                if try !isNamed(sum) { remove(sum) }
            } else if name.hasPrefix(Self.beginningOfTemporaries) {
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
            try SyncedFile.syncFolder(path.outerFolder)
        } else if errno != EEXIST {
            throw SystemFailure("mkdir")
        }
    }
}
