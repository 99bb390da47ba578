import Foundation

extension Tape {
    /// A tape of one word, for a container whose contents stand beside it; nil if memory is short.
    convenience init?(_ edited: EditedContainer) {
        guard let source = malloc(Tape.padding), let words = malloc(8) else { return nil }
        memset(source, 0, Tape.padding)
        self.init(
            source: source.assumingMemoryBound(to: UInt8.self), sourceCount: 0,
            words: words.assumingMemoryBound(to: UInt64.self), count: 1, edited: edited)
        noteCount()
    }

    /// Brings the word up to date; only while nobody else refers to the tape.
    func noteCount() {
        guard let edited else { return }
        words[0] = Word(edited.isObject ? .object : .array, upper: 1, lower: edited.count).raw
    }
}

extension JSON {
    /// What is edited here, if it is.
    var edited: EditedContainer? { storage.edited }

    var editedHeight: Int { edited?.height ?? 0 }

    /// The same value on a tape of its own.
    var flattened: JSON {
        guard let edited else { return self }
        return edited.flattened {
            var builder = TapeBuilder()
            builder.append(self)
            return builder.finish() ?? .null
        }
    }

    /// Makes this a container that can be changed in place, to which nobody else refers.
    ///
    /// Nil for a value that is none of that kind; null becomes an empty one.
    mutating func editing(isObject: Bool) -> EditedContainer? {
        if isNull { self = isObject ? [:] : [] }
        guard isObject ? word.isObject : word.isArray else { return nil }
        if let edited, isKnownUniquelyReferenced(&storage) { return edited }
        let mine = edited.map { EditedContainer(copying: $0) } ?? EditedContainer(self)
        guard let tape = Tape(mine) else { return nil }
        self = JSON(tape: tape, index: 0)
        return mine
    }

    /// To be called when a container has been changed.
    func edited(_ container: EditedContainer) { storage.noteCount() }
}
