import Foundation
import SteplineSupport

/// Builds a tape by appending values in order.
///
/// `open()` reserves the header of a container. `close(_:_:count:)` completes the header once the children are
/// appended.
struct TapeBuilder {
    private var source: [UInt8] = []
    private var words: [UInt64] = []

    /// Appends a copy of a value and all values in it.
    mutating func append(_ json: JSON) {
        if let edited = json.edited { return append(edited) }
        let tape = json.storage
        for index in json.place..<tape.next(json.place) {
            let word = tape[index]
            if word.isContainer {
                words.append(word.raw)
            } else {
                append(word.kind, tape.bytes(word))
            }
        }
    }

    /// Appends an edited container; recurses at most `EditedContainer.maximumHeight` levels.
    private mutating func append(_ edited: EditedContainer) {
        let header = open()
        for (position, value) in edited.values.enumerated() {
            if edited.isObject { append(text: edited.keys[position].text) }
            append(value)
        }
        close(header, edited.isObject ? .object : .array, count: edited.count)
    }

    mutating func append(_ kind: Word.Kind, _ bytes: some Sequence<UInt8>) {
        let start = source.count
        if kind.rawValue >= Word.Kind.integer.rawValue { source.append(contentsOf: bytes) }
        words.append(Word(kind, upper: source.count - start, lower: start).raw)
    }

    mutating func append(number literal: String) {
        let isInteger = literal.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0 &- 0x30 < 10 }
        append(isInteger ? .integer : .real, literal.utf8)
    }

    mutating func append(text: String) {
        var text = text
        text.withUTF8 { bytes in
            if bytes.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) {
                append(.escapedText, Escapes.escaped(bytes))
            } else {
                append(.text, bytes)
            }
        }
    }

    mutating func open() -> Int {
        words.append(0)
        return words.count - 1
    }

    mutating func close(_ header: Int, _ kind: Word.Kind, count: Int) {
        words[header] = Word(kind, upper: words.count - header, lower: count).raw
    }

    /// Returns the document; nil if it exceeds the maximum size or memory can't be allocated.
    consuming func finish() -> JSON? {
        let length = source.count
        let count = words.count
        guard length < Word.maximumSize, count < Word.maximumSize,
            let bytes = malloc(length + Tape.padding), let block = malloc(max(1, count) * 8)
        else { return nil }
        memset(bytes + length, 0, Tape.padding)
        source.withUnsafeBytes { if let from = $0.baseAddress { _ = memcpy(bytes, from, length) } }
        words.withUnsafeBytes { if let from = $0.baseAddress { _ = memcpy(block, from, count * 8) } }
        let start = bytes.assumingMemoryBound(to: UInt8.self)
        let tape = block.assumingMemoryBound(to: UInt64.self)
        var used = count
        if Word(raw: tape[0]).isObject, Word(raw: tape[0]).lower > 1 {
            let duplicates = DuplicateKeys()
            defer { duplicates.release() }
            if duplicates.mayContain(tape, 0, start) { used = duplicates.removeEarlier(tape, 0, start) }
        }
        return JSON(tape: Tape(source: start, sourceCount: length, words: tape, count: used), index: 0)
    }
}
