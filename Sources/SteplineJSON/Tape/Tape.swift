import Foundation

/// A parsed document: its bytes and the flat array of words over them, never changed once made.
final class Tape: @unchecked Sendable {  // written before init ends; the index has its own lock
    /// Zero bytes kept after the source, so that scanners may read past its end.
    static let padding = 64

    let source: UnsafeMutablePointer<UInt8>
    let sourceCount: Int
    let words: UnsafeMutablePointer<UInt64>
    let count: Int
    let keyIndexes = KeyIndexes()

    /// Takes over both blocks, which `free` can free; the source has its padding.
    init(
        source: UnsafeMutablePointer<UInt8>, sourceCount: Int, words: UnsafeMutablePointer<UInt64>, count: Int
    ) {
        self.source = source
        self.sourceCount = sourceCount
        self.words = words
        self.count = count
    }

    /// A document of `null` that needs no source.
    static let empty: Tape = {
        let source = UnsafeMutablePointer<UInt8>.allocate(capacity: padding)
        source.initialize(repeating: 0, count: padding)
        let words = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
        words.initialize(to: Word(.null, upper: 0, lower: 0).raw)
        return Tape(source: source, sourceCount: 0, words: words, count: 1)
    }()

    deinit {
        free(source)
        free(words)
    }

    @inline(__always)
    subscript(index: Int) -> Word { Word(raw: words[index]) }

    /// The index of what follows the value at `index`.
    @inline(__always)
    func next(_ index: Int) -> Int { index &+ self[index].span }

    /// The bytes of a text or number as they stand in the source.
    @inline(__always)
    func bytes(_ word: Word) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: source + word.lower, count: word.upper)
    }

    /// The text of a string or key, escapes resolved.
    @inline(__always)
    func text(_ word: Word) -> String {
        if word.isEscaped { return Escapes.unescaped(bytes(word)) }
        return String(decoding: bytes(word), as: UTF8.self)
    }

    /// Whether the key or string at `index` is `text`.
    @inline(__always)
    func isText(_ word: Word, equalTo text: UnsafeBufferPointer<UInt8>) -> Bool {
        if word.isEscaped { return Escapes.matches(bytes(word), text) }
        return bytes(word).isEqual(to: text)
    }
}
