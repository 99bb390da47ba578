import Foundation
import SteplineSupport

/// A body of an ``OrderedOutput`` that arrives piece by piece.
///
/// Up to a bound it stays in memory, so a failed attempt writes nothing and can be repeated. A larger body is written
/// as it comes once all before it are written; until then it waits in an unlinked temporary file.
final class ArrivingBody: Sendable {
    private enum Place {
        case memory(Data)
        case file(FileHandle)
        case output
    }

    private let output: OrderedOutput
    private let number: Int
    private let mostHeld: Int
    private let place = Locked(Place.memory(Data()))

    /// Creates an empty body.
    ///
    /// - Parameters:
    ///   - output: The output.
    ///   - number: The number of the body in the output.
    ///   - mostHeld: The largest number of bytes that stay in memory.
    init(_ output: OrderedOutput, _ number: Int, mostHeld: Int = 1 << 20) {
        self.output = output
        self.number = number
        self.mostHeld = mostHeld
    }

    /// Adds bytes; may wait for the reader of the output.
    func add(_ bytes: Data) throws {
        try place.withLock { place in
            switch place {
            case .memory(var held):
                // Without a second reference, which would copy the bytes.
                place = .memory(Data())
                held.append(bytes)
                if held.count <= mostHeld {
                    place = .memory(held)
                } else if output.takeTurn(number) {
                    place = .output
                    try output.writeNow(held)
                } else {
                    // If no temporary file can be created, use memory beyond the limit.
                    place = (try? NamelessFile.make(held)).map { .file($0) } ?? .memory(held)
                }
            case .file(let file):
                guard output.takeTurn(number) else { return try file.write(contentsOf: bytes) }
                place = .output
                try output.writeNow(file)
                try output.writeNow(bytes)
            case .output: try output.writeNow(bytes)
            }
        }
    }

    /// Ends the body, which is written when its turn comes.
    func finish() throws {
        try place.withLock { place in
            switch place {
            case .memory(let bytes): try output.put(bytes, at: number)
            case .file(let file): try output.put(file, at: number)
            case .output: try output.endTurn()
            }
            place = .memory(Data())
        }
    }

    /// Drops what isn't written; returns whether a part of the body was written.
    ///
    /// - Parameter isCancelled: Whether the run is cancelled: nothing is then written after a part of a body.
    func giveUp(isCancelled: Bool) -> Bool {
        place.withLock { place in
            defer { place = .memory(Data()) }
            guard case .output = place else { return false }
            if !isCancelled { try? output.endTurn() }
            return true
        }
    }
}
