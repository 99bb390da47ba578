import CLibXML2

/// A fast parser for most documents: well-formed UTF-8 without a document type.
///
/// The parser accepts only input that it fully understands. Everything else (errors, document types, entities, limits)
/// is "doubtful" and goes to libxml2, which decides whether it is an error. Both parsers therefore need to agree on
/// trees, but not on errors.
///
/// | result | meaning |
/// |---|---|
/// | `hungry` | the input ends inside a token; nothing of the token was reported |
/// | `doubtful` | libxml2 must continue from `cursor`; see `handOver` |
///
/// Events go to the same `ParserState` as libxml2's. Not thread-safe. All pointers are into the caller's buffer, valid
/// during one call of `parse`.
struct PlainParser {
    typealias Bytes = UnsafePointer<UInt8>

    /// The result of reading.
    enum Progress {
        /// More input is needed, or everything was read.
        case hungry
        /// The next token is for libxml2.
        case doubtful
    }

    /// The position within the document's structure.
    enum Place {
        case start, prolog, content, end
    }

    struct Open: BitwiseCopyable {
        var name: Int
        /// The number of namespaces in scope before the element.
        var bindings: Int
        /// The line of the end of its start tag.
        var line: Int32
    }

    struct Value: BitwiseCopyable {
        var name: Int
        var start: Bytes
        var count: Int
        /// The offset in `scratch` if the value is there.
        var offset: Int
    }

    let state: UnsafeMutablePointer<ParserState>
    let dictionary: xmlDictPtr
    let maximumNames: Int
    let maximumNameLength: Int
    let maximumAttributes: Int
    var names: PlainNames
    var namespaces: PlainNamespaces
    var place = Place.start
    /// The next byte to read, and the end of the input.
    var cursor: Bytes
    var end: Bytes
    /// Whether no input follows after `end`.
    var isLast = true
    var line: Int32 = 1
    /// The number of start tags.
    var tag = 0
    var open = RawBuffer<Open>(capacity: 16)
    var values = RawBuffer<Value>(capacity: 16)
    /// The values and texts that differ from their source.
    var scratch = RawBuffer<UInt8>(capacity: 64)
    /// The arguments in the format of libxml2's callbacks.
    var attributes = RawBuffer<Bytes?>(capacity: 32)
    var declarations = RawBuffer<Bytes?>(capacity: 16)

    init?(_ state: UnsafeMutablePointer<ParserState>) {
        guard let dictionary = xmlDictCreate() else { return nil }
        self.state = state
        self.dictionary = dictionary
        maximumNames = state.pointee.options.maximumNames
        maximumNameLength = state.pointee.options.maximumNameLength
        maximumAttributes = state.pointee.options.maximumAttributes
        names = PlainNames(dictionary)
        namespaces = PlainNamespaces(dictionary)
        cursor = PlainCharacters.classes
        end = cursor
    }

    func destroy() {
        names.destroy()
        namespaces.destroy()
        open.destroy()
        values.destroy()
        scratch.destroy()
        attributes.destroy()
        declarations.destroy()
        xmlDictFree(dictionary)
    }

    /// Whether a whole document was read.
    var isComplete: Bool { place == .end && state.pointee.failure == nil }

    /// Reads from `cursor`; the input before `cursor` is consumed.
    mutating func parse() -> Progress {
        if place == .start {
            switch declaration() {
            case .done: place = .prolog
            case .hungry: return .hungry
            case .doubtful: return .doubtful
            }
        }
        while cursor < end {
            let step: Step
            if cursor.pointee == UInt8(ascii: "<") {
                step = markup()
            } else if place == .content {
                step = text()
            } else {
                step = blanks()
            }
            switch step {
            case .done: continue
            case .hungry: return isLast ? .doubtful : .hungry
            case .doubtful: return .doubtful
            }
        }
        return .hungry
    }

    /// The result of reading one token.
    enum Step {
        case done
        /// The token is incomplete, and nothing of it was reported.
        case hungry
        case doubtful
    }

    /// The result at the end of the input: hungry if more may come, otherwise doubtful.
    var cut: Step { isLast ? .doubtful : .hungry }

    /// Skips white space, the only text allowed outside the root.
    private mutating func blanks() -> Step {
        while cursor < end, PlainCharacters.classes[Int(cursor.pointee)] & PlainCharacters.isBlank != 0 {
            if cursor.pointee == 10 { line &+= 1 }
            cursor += 1
        }
        return cursor < end && cursor.pointee != UInt8(ascii: "<") ? .doubtful : .done
    }

    private mutating func markup() -> Step {
        guard end - cursor > 1 else { return cut }
        switch cursor[1] {
        case UInt8(ascii: "/"): return endTag()
        case UInt8(ascii: "?"): return instruction()
        case UInt8(ascii: "!"):
            if let step = begins("<!--") { return step == .done ? comment() : step }
            if place == .content, let step = begins("<![CDATA[") { return step == .done ? cdata() : step }
            return .doubtful
        default: return place == .end ? .doubtful : startTag()
        }
    }

    /// Returns whether a word comes next: done if it does, nil if it doesn't.
    private func begins(_ word: StaticString) -> Step? {
        let count = min(word.utf8CodeUnitCount, end - cursor)
        for index in 0..<count where cursor[index] != word.utf8Start[index] { return nil }
        return count == word.utf8CodeUnitCount ? .done : cut
    }

    /// Records the line of the next event.
    @inline(__always)
    func tell() { state.pointee.plainLine = line }
}
