public import Foundation

/// A JSON value, or a whole document, that is `Sendable` and cheap to copy.
///
/// ```swift
/// let feed = try JSON(parsing: data)
/// let title = feed["items"]?[0]?["title"]?.string
/// let cheap = try feed.query("$.items[?@.price < 10].title")
///
/// var changed = feed
/// changed["items"][0]["title"] = "Another"
/// ```
///
/// A parsed document is a flat array of words, the `Tape`, over a copy of its bytes. Each value is an index
/// into the tape and retains the tape, even if the value is small. Strings and numbers are converted only when
/// read. The order of members is kept; of duplicate keys the last wins, at its position.
///
/// Values are immutable snapshots. A change turns the containers on its path into `EditedContainer`s and
/// leaves all others on their tape. Operations that need a single tape (queries, decoding, writing) flatten an
/// edited value once and cache the result.
///
/// All operations are safe on any thread. Begin reading at `Parsing`, then `TapeParser` and `Word`.
@dynamicMemberLookup
public struct JSON: Sendable {
    /// The tape that the value was made with; for an edited container, a tape of the container's word alone.
    ///
    /// Edits use `storage` and `place`. Operations that need the whole value on one tape use ``tape`` and ``index``,
    /// which differ from these two only for an edited value.
    var storage: Tape
    let place: Int

    init(tape: Tape, index: Int) {
        storage = tape
        place = index
    }

    /// A tape that holds the whole value; flattens an edited value on first use.
    @inline(__always)
    var tape: Tape { storage.edited == nil ? storage : flattened.storage }

    /// The index of the value on ``tape``.
    @inline(__always)
    var index: Int { storage.edited == nil ? place : flattened.place }

    /// The word of the value; for an edited container it holds the kind and the count.
    @inline(__always)
    var word: Word { storage[place] }

    /// Parses a document as strict RFC 8259.
    ///
    /// The encoding is UTF-8, UTF-16 or UTF-32, with or without byte order mark. The whole text is validated before
    /// a value is returned. Cost: one pass; memory for the bytes and eight bytes for each value and key.
    ///
    /// - Throws: `JSONError` with the position of the first problem.
    public init(parsing data: Data, options: Options = .init()) throws(JSONError) {
        let result = data.withUnsafeBytes { bytes in
            Result { () throws(JSONError) in try Parsing.document(bytes, options: options) }
        }
        self = try result.get()
    }

    /// Parses a document in a string.
    ///
    /// A byte order mark at the start is skipped. No other encoding is detected.
    ///
    /// - Throws: `JSONError` with the position of the first problem.
    public init(parsing text: String, options: Options = .init()) throws(JSONError) {
        var text = text
        let result = text.withUTF8 { bytes in
            Result { () throws(JSONError) in
                let bytes = UnsafeRawBufferPointer(bytes)
                return try Parsing.document(bytes, as: TextEncoding(utf8: bytes), options: options)
            }
        }
        self = try result.get()
    }
}
