public import Foundation

/// A JSON value, or a whole document: a value, `Sendable`, and cheap to copy.
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
/// A document is one flat tape over a copy of its bytes. Every value taken out of it is a place on that tape,
/// which it keeps alive; strings and numbers are only converted when they are asked for. The order of members
/// is kept. Changes copy what is on the way to them, and nothing else. Of duplicate keys the last one stays, where it stands.
@dynamicMemberLookup
public struct JSON: Sendable {
    var storage: Tape
    let place: Int

    init(tape: Tape, index: Int) {
        storage = tape
        place = index
    }

    /// The tape that the whole value is on.
    @inline(__always)
    var tape: Tape { storage.edited == nil ? storage : flattened.storage }

    /// Where it is on that tape.
    @inline(__always)
    var index: Int { storage.edited == nil ? place : flattened.place }

    /// The value's own word; of an edited container it tells the kind and the count.
    @inline(__always)
    var word: Word { storage[place] }

    /// Parses a document: strict RFC 8259 in UTF-8, with or without byte order mark, UTF-16 or UTF-32.
    ///
    /// The whole text is checked; there is never a part of a value. Cost: one pass, memory for the bytes and
    /// eight bytes for each value and key.
    public init(parsing data: Data, options: Options = .init()) throws(JSONError) {
        let result = data.withUnsafeBytes { bytes in
            Result { () throws(JSONError) in try Parsing.document(bytes, options: options) }
        }
        self = try result.get()
    }

    /// Parses a document in a string.
    ///
    /// The text is taken as it is: a byte order mark at its start is passed over, and no other encoding is
    /// looked for in it.
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
