import Foundation
import SteplineSupport

/// Writes what comes in any order in the order of its numbers, as soon as it can.
///
/// The caller that brings what is next writes, and writes what was waiting for it; no caller waits for another. What has
/// to wait is held in memory up to a bound, and beyond that in files without names, which are gone with the process.
final class OrderedOutput: Sendable {
    /// A body that isn't written yet.
    private enum Piece {
        case bytes(Data)
        case file(FileHandle)
    }

    private struct State {
        /// What has come and is not yet written; nothing for a number that has nothing to write.
        var waiting: [Int: Piece] = [:]
        /// How many bytes wait in memory.
        var held = 0
        var next = 0
        var isWriting = false
        var failure: (any Error)?

        /// Takes the next piece for the caller to write; small bodies are joined up to a chunk.
        mutating func take() -> Piece? {
            var bytes = Data()
            while failure == nil, bytes.count < OrderedOutput.chunk, let piece = waiting[next] {
                guard case .bytes(let data) = piece else {
                    // A file comes alone.
                    if bytes.isEmpty {
                        remove()
                        isWriting = true
                        return piece
                    }
                    break
                }
                remove()
                held -= data.count
                // A large body is not copied.
                if bytes.isEmpty { bytes = data } else { bytes += data }
            }
            isWriting = !bytes.isEmpty
            return isWriting ? .bytes(bytes) : nil
        }

        private mutating func remove() {
            waiting[next] = nil
            next += 1
        }
    }

    private static let chunk = 1 << 20

    private let state = Locked(State())
    private let mostHeld: Int
    private let write: @Sendable (Data) throws -> Void

    /// - Parameter mostHeld: The most bytes that wait in memory.
    init(mostHeld: Int = 64 << 20, _ write: @escaping @Sendable (Data) throws -> Void) {
        self.mostHeld = mostHeld
        self.write = write
    }

    /// What writing has failed with.
    var failure: (any Error)? { state.withLock { $0.failure } }

    /// How many bytes wait in memory.
    var held: Int { state.withLock { $0.held } }

    /// Brings what belongs at a place, nothing at all included; throws if writing has failed.
    func put(_ data: Data, at number: Int) throws {
        let mustSpill = state.withLock { number != $0.next && $0.held + data.count > mostHeld }
        // Where no file can be made, memory has to do.
        let file = mustSpill ? try? Self.nameless(data) : nil
        var piece = state.withLock { state in
            state.waiting[number] = file.map { .file($0) } ?? .bytes(data)
            if file == nil { state.held += data.count }
            return state.isWriting ? nil : state.take()
        }
        while let next = piece {
            do {
                try write(next)
            } catch {
                state.withLock { $0.failure = error }
            }
            piece = state.withLock { $0.take() }
        }
        if let failure { throw failure }
    }

    /// Writes all that has come, over the gaps of what hasn't: to be called when nothing more comes.
    func finish() throws {
        let rest = state.withLock { state in
            defer { (state.waiting, state.held) = ([:], 0) }
            return state.waiting.sorted { $0.key < $1.key }.map(\.value)
        }
        if let failure { throw failure }
        for piece in rest { try write(piece) }
    }

    private func write(_ piece: Piece) throws {
        switch piece {
        case .bytes(let data): try write(data)
        case .file(let file):
            while let data = try file.read(upToCount: Self.chunk), !data.isEmpty { try write(data) }
        }
    }

    /// A file of the bytes, from its beginning, that no other program can open.
    private static func nameless(_ data: Data) throws -> FileHandle {
        let url = FileManager.default.temporaryDirectory.appending(path: "stepline-\(UUID().uuidString)")
        let path = url.path(percentEncoded: false)
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(.EIO) }
        unlink(path)
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try file.write(contentsOf: data)
        try file.seek(toOffset: 0)
        return file
    }
}
