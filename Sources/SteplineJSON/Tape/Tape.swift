import Foundation
import Synchronization

/// A parsed document: its bytes and the flat array of words over them.
final class Tape:
    @unchecked Sendable  // changed only while one reference is left; what is made later has its own locks
{
    /// Zero bytes kept after the source, so that scanners may read past its end.
    static let padding = 64

    let source: UnsafeMutablePointer<UInt8>
    let sourceCount: Int
    let words: UnsafeMutablePointer<UInt64>
    let count: Int
    /// The contents of a container that has been edited; the tape holds nothing but its word.
    let edited: EditedContainer?
    private let lazyIndexes = AtomicLazyReference<KeyIndexes>()

    /// Takes over both blocks, which `free` can free; the source has its padding.
    init(
        source: UnsafeMutablePointer<UInt8>, sourceCount: Int, words: UnsafeMutablePointer<UInt64>,
        count: Int,
        edited: EditedContainer? = nil
    ) {
        self.source = source
        self.sourceCount = sourceCount
        self.words = words
        self.count = count
        self.edited = edited
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

    /// Made when a large object is first looked into.
    var keyIndexes: KeyIndexes { lazyIndexes.load() ?? lazyIndexes.storeIfNil(KeyIndexes()) }

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
