import Foundation
import Synchronization

/// A parsed document: its bytes and a flat array of words, one for each value and key.
///
/// A value is the index of its word; the words of its descendants follow directly, each key before its value. See
/// ``Word`` for the layout. The tape owns both blocks and frees them. Values retain their tape, so the whole
/// document stays in memory as long as any of them.
///
/// A tape is immutable, except for the word of an edited container, which changes only while the tape is uniquely
/// referenced. Hash tables of large objects are built lazily under a lock, so reading is safe on any thread.
final class Tape:
    @unchecked Sendable  // mutated only while uniquely referenced; lazy parts have their own locks
{
    /// The number of zero bytes after the source, so that scanners may read past its end.
    static let padding = 64

    let source: UnsafeMutablePointer<UInt8>
    let sourceCount: Int
    let words: UnsafeMutablePointer<UInt64>
    let count: Int
    /// The contents of an edited container; the tape then holds only the container's word.
    let edited: EditedContainer?
    private let lazyIndexes = AtomicLazyReference<KeyIndexes>()

    /// Takes ownership of both blocks, which must come from `malloc`; the source must be padded.
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

    /// The document `null`.
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

    /// The hash tables of large objects, created on first use.
    var keyIndexes: KeyIndexes { lazyIndexes.load() ?? lazyIndexes.storeIfNil(KeyIndexes()) }

    @inline(__always)
    subscript(index: Int) -> Word { Word(raw: words[index]) }

    /// Returns the index after the value at `index`.
    @inline(__always)
    func next(_ index: Int) -> Int { index &+ self[index].span }

    /// Returns the bytes of a string or number as written in the source.
    @inline(__always)
    func bytes(_ word: Word) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: source + word.lower, count: word.upper)
    }

    /// Returns the text of a string or key with its escapes resolved.
    @inline(__always)
    func text(_ word: Word) -> String {
        if word.isEscaped { return Escapes.unescaped(bytes(word)) }
        return String(decoding: bytes(word), as: UTF8.self)
    }

    /// Returns whether a key or string equals `text`.
    @inline(__always)
    func isText(_ word: Word, equalTo text: UnsafeBufferPointer<UInt8>) -> Bool {
        if word.isEscaped { return Escapes.matches(bytes(word), text) }
        return bytes(word).isEqual(to: text)
    }
}
