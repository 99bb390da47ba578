import Foundation

extension Tape {
    /// Makes a tape of one word for an edited container; nil if memory can't be allocated.
    convenience init?(_ edited: EditedContainer) {
        guard let source = malloc(Tape.padding), let words = malloc(8) else { return nil }
        memset(source, 0, Tape.padding)
        self.init(
            source: source.assumingMemoryBound(to: UInt8.self), sourceCount: 0,
            words: words.assumingMemoryBound(to: UInt64.self), count: 1, edited: edited)
        noteCount()
    }

    /// Updates the count in the word; call it only while the tape is uniquely referenced.
    func noteCount() {
        guard let edited else { return }
        words[0] = Word(edited.isObject ? .object : .array, upper: 1, lower: edited.count).raw
    }
}

extension JSON {
    /// The edited container of the value; nil if the value isn't edited.
    var edited: EditedContainer? { storage.edited }

    var editedHeight: Int { edited?.height ?? 0 }

    /// The same value on a single tape.
    var flattened: JSON {
        guard let edited else { return self }
        return edited.flattened {
            var builder = TapeBuilder()
            builder.append(self)
            return builder.finish() ?? .null
        }
    }

    /// Makes the value a uniquely referenced container that can be changed in place.
    ///
    /// - Returns: The container; nil if the value is of another kind. Null becomes an empty container.
    mutating func editing(isObject: Bool) -> EditedContainer? {
        if isNull { self = isObject ? [:] : [] }
        guard isObject ? word.isObject : word.isArray else { return nil }
        if let edited, isKnownUniquelyReferenced(&storage) { return edited }
        let mine = edited.map { EditedContainer(copying: $0) } ?? EditedContainer(self)
        guard let tape = Tape(mine) else { return nil }
        self = JSON(tape: tape, index: 0)
        return mine
    }

    /// Updates the value's word after a change to its container.
    func edited(_ container: EditedContainer) { storage.noteCount() }
}
