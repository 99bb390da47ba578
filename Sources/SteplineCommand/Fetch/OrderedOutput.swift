import Foundation
import SteplineSupport

/// Writes bodies that arrive in any order in the order of their numbers, as early as possible.
///
/// The caller that delivers the next number writes it together with the bodies that waited for it. Other callers only
/// store their body and return. Waiting bodies stay in memory up to a limit, beyond that in unlinked temporary files.
///
/// | state | meaning |
/// |---|---|
/// | idle | the next number hasn't arrived |
/// | writing | one caller writes, outside the lock; with `takeTurn` until `endTurn` |
/// | failed | `failure` is set; `put` throws |
final class OrderedOutput: Sendable {
    /// A body that isn't written yet.
    private enum Piece {
        case bytes(Data)
        case file(FileHandle)
    }

    private struct State {
        /// Bodies not yet written, by number; empty for a number without output.
        var waiting: [Int: Piece] = [:]
        /// The number of bytes that wait in memory.
        var held = 0
        var next = 0
        var isWriting = false
        var failure: (any Error)?

        /// Removes and returns the next piece to write; joins small bodies up to one chunk.
        mutating func take() -> Piece? {
            var bytes = Data()
            while failure == nil, bytes.count < OrderedOutput.chunk, let piece = waiting[next] {
                guard case .bytes(let data) = piece else {
                    // A file is written separately.
                    if bytes.isEmpty {
                        remove()
                        isWriting = true
                        return piece
                    }
                    break
                }
                remove()
                held -= data.count
                // Don't copy a single large body.
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

    /// Creates the writer.
    ///
    /// - Parameters:
    ///   - mostHeld: The largest number of bytes that wait in memory.
    ///   - write: Writes bytes.
    init(mostHeld: Int = 64 << 20, _ write: @escaping @Sendable (Data) throws -> Void) {
        self.mostHeld = mostHeld
        self.write = write
    }

    /// The error of the output.
    var failure: (any Error)? { state.withLock { $0.failure } }

    /// The number of bytes that wait in memory.
    var held: Int { state.withLock { $0.held } }

    /// Adds the body of a number, which may be empty; throws if the output has failed.
    func put(_ data: Data, at number: Int) throws {
        let mustSpill = state.withLock { number != $0.next && $0.held + data.count > mostHeld }
        // If no temporary file can be created, use memory beyond the limit.
        if mustSpill, let file = try? NamelessFile.make(data) { return try put(file, at: number) }
        try put(.bytes(data), at: number)
    }

    /// Adds the body of a number: the contents of a file.
    func put(_ file: FileHandle, at number: Int) throws { try put(.file(file), at: number) }

    private func put(_ body: Piece, at number: Int) throws {
        let piece = state.withLock { state -> Piece? in
            // A body that has had its turn is over.
            guard number >= state.next else { return nil }
            state.waiting[number] = body
            if case .bytes(let data) = body { state.held += data.count }
            return state.isWriting ? nil : state.take()
        }
        try writeAll(from: piece)
    }

    private func writeAll(from first: Piece?) throws {
        var piece = first
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

    // MARK: Bodies that are written as they come

    /// Gives the output to the body of a number until `endTurn`; returns false if it isn't the next one.
    func takeTurn(_ number: Int) -> Bool {
        state.withLock { state in
            guard state.next == number, !state.isWriting, state.failure == nil else { return false }
            state.next += 1
            state.isWriting = true
            return true
        }
    }

    /// Writes bytes of the body that has the output.
    func writeNow(_ data: Data) throws { try writeNow(.bytes(data)) }

    /// Writes the contents of a file, as the beginning of the body that has the output.
    func writeNow(_ file: FileHandle) throws { try writeNow(.file(file)) }

    private func writeNow(_ piece: Piece) throws {
        do {
            try write(piece)
        } catch {
            state.withLock { $0.failure = error }
            throw error
        }
    }

    /// Takes the output back from a body, and writes those that waited for it.
    func endTurn() throws { try writeAll(from: state.withLock { $0.take() }) }

    /// Writes all remaining bodies, skipping missing numbers; call after the last `put`.
    ///
    /// Writes nothing if a cancelled body has the output: it may still be blocked in a write.
    ///
    /// - Throws: The error of the output, also one that a `put` threw before. The command maps a closed reader to exit
    ///   status 141.
    func finish() throws {
        let rest = state.withLock { state in
            defer { (state.waiting, state.held) = ([:], 0) }
            return state.isWriting ? [] : state.waiting.sorted { $0.key < $1.key }.map(\.value)
        }
        if let failure { throw failure }
        for piece in rest { try write(piece) }
    }

    private func write(_ piece: Piece) throws {
        switch piece {
        case .bytes(let data): try write(data)
        case .file(let file):
            try file.seek(toOffset: 0)
            while let data = try file.read(upToCount: Self.chunk), !data.isEmpty { try write(data) }
        }
    }
}
