import Foundation

/// Validates a document that arrives in chunks, and finds the elements of one array in it.
///
/// It owns a buffer with the current chunk and the element or scalar that is not yet complete. Containers
/// outside of the elements are never held in memory: only a level for each open container is kept.
///
/// | state (`expectation`) | next token |
/// |---|---|
/// | `value` | a value |
/// | `valueOrEnd` | a value or `]` |
/// | `key`, `keyOrEnd` | a key, or `}` for the latter |
/// | `colon` | `:` |
/// | `commaOrEnd` | `,` or the closing bracket |
/// | `end` | white space |
///
/// `wayLevels` counts the outermost open containers that lie on the path to the array. If it equals the number
/// of open containers and exceeds the pointer's tokens, the next value is an element. Elements and scalars are
/// parsed as documents of their own, once ``ValueEnd`` has found their end. Cost: each byte is examined a
/// constant number of times. The caller serializes all calls.
struct ElementScanner {
    private enum Expectation {
        case value, valueOrEnd, keyOrEnd, key, colon, commaOrEnd, end
    }

    /// An open container.
    private struct Level {
        let isObject: Bool
        var position = 0
        /// Whether the child on the path to the array has been entered; set only for a child that is a container.
        var isPassed = false
    }

    private let pointer: JSONPointer
    private let options: JSON.Options
    private var buffer: [UInt8] = []
    private var index = 0
    private var isAtEnd = false
    private var place = StreamPlace()
    /// The offset in the buffer up to which `place` has advanced.
    private var placed = 0
    private var expectation = Expectation.value
    private var levels: [Level] = []
    /// The number of open containers on the path to the array, or the array included.
    private var wayLevels = 0
    private var isOnWay = true
    private var isFound = false
    private var under: ValueEnd?
    /// The offset of the last element in the buffer.
    private var elementStart = 0

    init(_ pointer: JSONPointer, options: JSON.Options) {
        self.pointer = pointer
        self.options = options
    }

    mutating func append(_ chunk: Data) {
        let done = min(index, buffer.count)
        if done > buffer.count / 2 {
            advance(to: done)
            buffer.removeSubrange(..<done)
            index -= done
            elementStart = 0
            placed = 0
            under?.move(by: done)
        }
        buffer.append(contentsOf: chunk)
    }

    mutating func end() { isAtEnd = true }

    /// The position of the last returned element; valid until more bytes are appended.
    var elementPlace: StreamPlace {
        var copy = self
        copy.advance(to: max(placed, min(elementStart, buffer.count)))
        return copy.place
    }

    /// Returns the next element of the array; nil if more bytes are needed or the document has ended.
    mutating func next() throws(JSONError) -> JSON? {
        if place.offset + placed == 0, !passMark() { return nil }
        while true {
            skipSpace()
            guard index < buffer.count else {
                if isAtEnd { try finish() }
                return nil
            }
            let byte = buffer[index]
            switch expectation {
            case .valueOrEnd where byte == UInt8(ascii: "]"), .keyOrEnd where byte == UInt8(ascii: "}"):
                close()
            case .value, .valueOrEnd:
                if isElement {
                    let start = index
                    guard let element = try value() else { return nil }
                    elementStart = start
                    expectation = .commaOrEnd
                    return element
                }
                guard try begin(byte) else { return nil }
            case .keyOrEnd, .key:
                guard byte == UInt8(ascii: "\"") else { throw error(.unexpectedCharacter) }
                guard try key() else { return nil }
            case .colon:
                guard byte == UInt8(ascii: ":") else { throw error(.unexpectedCharacter) }
                index += 1
                expectation = .value
            case .commaOrEnd: try comma(byte)
            case .end: throw error(.trailingText)
            }
        }
    }

    private var isElement: Bool { wayLevels > pointer.tokens.count && wayLevels == levels.count }

    /// Skips a byte order mark; returns false if more bytes are needed to decide.
    private mutating func passMark() -> Bool {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        guard buffer.count >= mark.count || isAtEnd || !mark.starts(with: buffer) else { return false }
        if index == 0, buffer.starts(with: mark) { index = mark.count }
        return true
    }

    private mutating func skipSpace() {
        while index < buffer.count {
            switch buffer[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            default: return
            }
        }
    }

    /// Starts a value that isn't an element; returns false if more bytes are needed.
    private mutating func begin(_ byte: UInt8) throws(JSONError) -> Bool {
        let isWay = try isWayChild()
        let isTarget = isWay && levels.count == pointer.tokens.count
        if isTarget, byte != UInt8(ascii: "[") {
            throw error(.wrongKind, "The value at \"\(pointer)\" is no array")
        }
        guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") else {
            guard try value() != nil else { return false }
            expectation = levels.isEmpty ? .end : .commaOrEnd
            return true
        }
        guard levels.count < options.maximumDepth else { throw error(.tooDeep) }
        let isObject = byte == UInt8(ascii: "{")
        if let last = levels.indices.last, isWay { levels[last].isPassed = true }
        levels.append(Level(isObject: isObject))
        if isWay { wayLevels += 1 }
        isFound = isFound || isTarget
        expectation = isObject ? .keyOrEnd : .valueOrEnd
        index += 1
        return true
    }

    /// Returns whether the value that starts here lies on the path to the array, or is the array.
    private func isWayChild() throws(JSONError) -> Bool {
        guard wayLevels == levels.count, wayLevels <= pointer.tokens.count else { return false }
        guard let level = levels.last else { return true }
        let token = pointer.tokens[levels.count - 1]
        let isWay = level.isObject ? isOnWay : "\(level.position)" == token
        if isWay, level.isPassed {
            throw error(.duplicateKey, "The key \"\(token)\", which leads to the array, occurs twice")
        }
        return isWay
    }

    private mutating func comma(_ byte: UInt8) throws(JSONError) {
        guard let level = levels.last else { throw error(.trailingText) }
        if byte == UInt8(ascii: ",") {
            levels[levels.count - 1].position += 1
            expectation = level.isObject ? .key : .value
            index += 1
        } else if byte == (level.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
            close()
        } else {
            throw error(.unexpectedCharacter)
        }
    }

    private mutating func close() {
        if wayLevels == levels.count { wayLevels -= 1 }
        levels.removeLast()
        expectation = levels.isEmpty ? .end : .commaOrEnd
        index += 1
    }

    private mutating func key() throws(JSONError) -> Bool {
        let start = index
        guard let key = try value() else { return false }
        if wayLevels == levels.count, wayLevels > 0, wayLevels <= pointer.tokens.count {
            isOnWay = key.string.map { $0.utf8.elementsEqual(pointer.tokens[levels.count - 1].utf8) } ?? false
        }
        guard buffer[start] == UInt8(ascii: "\"") else { throw error(.unexpectedCharacter) }
        expectation = .colon
        return true
    }

    /// Parses the value that starts here; returns nil if more bytes are needed.
    private mutating func value() throws(JSONError) -> JSON? {
        var search = under ?? ValueEnd(from: index)
        let start = index
        let isLast = isAtEnd
        let end = buffer.withUnsafeBufferPointer { search.find(from: start, in: $0, isAtEnd: isLast) }
        guard let end else {
            under = search
            guard buffer.count - start <= options.maximumSize else { throw error(.tooLarge) }
            return nil
        }
        under = nil
        // `ValueEnd` stopped at once: no value starts with this character.
        guard end > start else { throw error(.unexpectedCharacter) }
        let options = options
        let result = buffer.withUnsafeBytes { bytes in
            Result { () throws(JSONError) in
                try Parsing.document(
                    UnsafeRawBufferPointer(rebasing: bytes[start..<end]), as: .utf8, options: options)
            }
        }
        do {
            let json = try result.get()
            index = end
            return json
        } catch {
            // The parser reports the position within the value.
            advance(to: start)
            throw place.moved(error)
        }
    }

    private mutating func finish() throws(JSONError) {
        guard expectation == .end else {
            throw error(levels.isEmpty && expectation == .value ? .empty : .unexpectedEnd)
        }
        guard isFound else { throw JSONError(.notFound, message: "There is nothing at \"\(pointer)\"") }
    }

    private mutating func advance(to end: Int) {
        buffer.withUnsafeBytes { place.advance(over: UnsafeRawBufferPointer(rebasing: $0[placed..<end])) }
        placed = end
    }

    private func error(_ code: JSONError.Code, _ message: String? = nil) -> JSONError {
        var copy = self
        copy.advance(to: min(index, buffer.count))
        return copy.place.moved(JSONError(code, message: message ?? code.message))
    }
}
