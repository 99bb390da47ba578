import CLibXML2

/// Reads what most documents are made of: UTF-8 that is well-formed, without a document type.
///
/// It takes nothing that it isn't sure of. What it doubts (a fault, a document type, an entity, a limit) is left to
/// libxml2, which says what is wrong, or that nothing is. So both never have to agree on faults, only on trees.
struct PlainParser {
    typealias Bytes = UnsafePointer<UInt8>

    /// How far it has come.
    enum Progress {
        /// All is read, or all but the beginning of what needs more input.
        case hungry
        /// What comes next is for libxml2.
        case doubtful
    }

    /// What stands where in the document.
    enum Place {
        case start, prolog, content, end
    }

    struct Open: BitwiseCopyable {
        var name: Int
        /// How many namespaces were in scope before it.
        var bindings: Int
        /// Where its start tag ended.
        var line: Int32
    }

    struct Value: BitwiseCopyable {
        var name: Int
        var start: Bytes
        var count: Int
        /// Whether it is in `scratch`, at this offset.
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
    /// What is to be read next, and where it ends.
    var cursor: Bytes
    var end: Bytes
    /// Whether nothing comes after `end`.
    var isLast = true
    var line: Int32 = 1
    /// Counts start tags.
    var tag = 0
    var open = RawBuffer<Open>(capacity: 16)
    var values = RawBuffer<Value>(capacity: 16)
    /// Values of attributes, texts and so on that aren't as they are written.
    var scratch = RawBuffer<UInt8>(capacity: 64)
    /// What libxml2's callbacks would get.
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

    /// Whether a whole document has been read.
    var isComplete: Bool { place == .end && state.pointee.failure == nil }

    /// Reads from `cursor` on; what it has read of them stays read.
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

    /// How the reading of one piece of markup or text has ended.
    enum Step {
        case done
        /// It isn't all there: nothing of it has been told.
        case hungry
        case doubtful
    }

    /// What ends before it should: more may come, unless it can't.
    var cut: Step { isLast ? .doubtful : .hungry }

    /// Outside the root there may be nothing but blanks.
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

    /// Whether this comes next: done if it does, nil if it doesn't.
    private func begins(_ word: StaticString) -> Step? {
        let count = min(word.utf8CodeUnitCount, end - cursor)
        for index in 0..<count where cursor[index] != word.utf8Start[index] { return nil }
        return count == word.utf8CodeUnitCount ? .done : cut
    }

    /// Where the next tag and its lines are told to come from.
    @inline(__always)
    func tell() { state.pointee.plainLine = line }
}
