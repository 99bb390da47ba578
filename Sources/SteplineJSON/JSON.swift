public import Foundation

/// A JSON value, or a whole document: immutable, `Sendable`, and cheap to copy.
///
/// ```swift
/// let feed = try JSON(parsing: data)
/// let title = feed["items"]?[0]?["title"]?.string
/// let cheap = try feed.query("$.items[?@.price < 10].title")
/// ```
///
/// A document is one flat tape over a copy of its bytes. Every value taken out of it is a place on that tape,
/// which it keeps alive; strings and numbers are only converted when they are asked for. The order of members
/// is kept. Of duplicate keys the last one stays, where it stands.
@dynamicMemberLookup
public struct JSON: Sendable {
    let tape: Tape
    let index: Int

    init(tape: Tape, index: Int) {
        self.tape = tape
        self.index = index
    }

    @inline(__always)
    var word: Word { tape[index] }

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
    public init(parsing text: String, options: Options = .init()) throws(JSONError) {
        var text = text
        let result = text.withUTF8 { bytes in
            Result { () throws(JSONError) in
                try Parsing.document(UnsafeRawBufferPointer(bytes), options: options)
            }
        }
        self = try result.get()
    }
}
