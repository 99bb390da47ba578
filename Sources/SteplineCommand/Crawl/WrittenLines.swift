import Foundation
import SteplineSupport

/// The lines that an output file holds already, by their digests.
struct WrittenLines: Sendable {
    /// A part of a line's SHA-256.
    private typealias Digest = SIMD2<UInt64>

    /// The maximum length of an incomplete line that is kept in memory.
    private static let longest = 256 << 20

    /// The number of the line with each digest, from 1.
    private var numbers: [Digest: Int] = [:]
    /// The first line.
    private(set) var first = Data()
    /// The bytes after the last line break: a write that was interrupted.
    private(set) var rest = Data()
    /// The number of bytes before them.
    private(set) var completeSize: Int64 = 0
    /// The first line that occurs a second time, or is too long.
    private(set) var misfit: Int?
    private(set) var count = 0

    /// No lines.
    init() {}

    /// Reads the lines of a file.
    init(of file: URL) throws {
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        while let chunk = try handle.read(upToCount: 1 << 20), !chunk.isEmpty {
            rest += chunk
            var begin = rest.startIndex
            while let end = rest[begin...].firstIndex(of: 0x0A) {
                add(rest[begin...end])
                begin = end + 1
            }
            rest = Data(rest[begin...])
            guard rest.count <= Self.longest else {
                misfit = misfit ?? count + 1
                return
            }
        }
    }

    private mutating func add(_ line: Data) {
        count += 1
        completeSize += Int64(line.count)
        if count == 1 { first = Data(line) }
        if numbers.updateValue(count, forKey: Self.digest(line)) != nil { misfit = misfit ?? count }
    }

    /// Removes a line; returns false if the file doesn't hold it.
    mutating func remove(_ line: Data) -> Bool {
        !numbers.isEmpty && numbers.removeValue(forKey: Self.digest(line)) != nil
    }

    /// The number of the first line that wasn't removed.
    var firstRemaining: Int? { numbers.values.min() }

    private static func digest(_ line: Data) -> Digest {
        let hash = line.withUnsafeBytes { SHA256.hash($0) }
        return hash.withUnsafeBytes { $0.loadUnaligned(as: Digest.self) }
    }
}
