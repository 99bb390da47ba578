import Foundation
import SteplineSupport

/// A body of an ``OrderedOutput`` that arrives piece by piece.
///
/// Up to a bound it stays in memory, so a failed attempt writes nothing and can be repeated. A larger body is written
/// as it comes if all before it are written, and otherwise waits in a file without a name.
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
                    place = .file(try OrderedOutput.nameless(held))
                }
            case .file(let file): try file.write(contentsOf: bytes)
            case .output: try output.writeNow(bytes)
            }
        }
    }

    /// Ends the body, which is written when its turn comes.
    func finish() throws {
        try place.withLock { place in
            switch place {
            case .memory(let bytes): try output.put(bytes, at: number)
            case .file(let file):
                try file.seek(toOffset: 0)
                try output.put(file, at: number)
            case .output: try output.endTurn()
            }
            place = .memory(Data())
        }
    }

    /// Drops what isn't written; returns whether a part of the body was written.
    func giveUp() -> Bool {
        place.withLock { place in
            defer { place = .memory(Data()) }
            guard case .output = place else { return false }
            try? output.endTurn()
            return true
        }
    }
}
