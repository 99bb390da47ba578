import Foundation

/// The state that all containers of one decoding share.
///
/// It owns the caches of one `decode` call: cursors for key look-up, converted keys, list types and coding key
/// types. Containers are small values that refer to this object and an index on the tape.
///
/// Decoding runs synchronously on the caller's thread, so the state has no lock. Recursion is bounded by
/// `maximumDepth` and by the remaining stack; see ``checkDepth(_:_:)``.
///
/// Looking up a key costs O(1) while a type asks for keys in document order, since the search starts at the
/// cursor. A key far from the cursor in an object of 48 or more members is found in a hash table.
final class DecodingState {
    /// The position where the next key look-up starts; types mostly ask for keys in document order.
    struct Cursor {
        var object: Int32 = -1
        var next: Int32 = 0
    }

    private static let cursorCount = 32
    /// The number of levels that fit on any stack without a check.
    private static let safeDepth = 16

    let tape: Tape
    let root: Int
    let decoder: JSON.Decoder
    let usesPlainKeys: Bool
    let userInfo: [CodingUserInfoKey: Any]
    let maximumDepth: Int
    var known = KnownTypes.shared
    /// The coding path of the decoded root, if the root is part of a larger value.
    private let base: [any CodingKey]
    private var whereabouts: Whereabouts
    private var keyTypes: KeyTypes
    var listTypes: [ObjectIdentifier: (any ListDecodable.Type)?] = [:]
    /// A cursor for each depth; the deepest levels share the last.
    ///
    /// Each is a hint, valid only for its object.
    private let cursors: UnsafeMutablePointer<Cursor>
    private var convertedKeys: [Int: ConvertedKeys] = [:]
    private var snakeCase = SnakeCase()

    init(_ json: JSON, _ decoder: JSON.Decoder, base: [any CodingKey] = []) {
        tape = json.tape
        root = json.index
        self.decoder = decoder
        self.base = base
        // The span bounds the objects of the root, so a byte for each word records their key types.
        whereabouts = Whereabouts(json.tape, root: json.index)
        keyTypes = KeyTypes(root: json.index, count: json.tape[json.index].span)
        userInfo = decoder.userInfo
        // Wrapper types use more than one decoding level per level of the document.
        maximumDepth = max(DecodingState.safeDepth, min(max(decoder.options.maximumDepth, 1), 1 << 20) * 2)
        if case .useDefaultKeys = decoder.keyDecodingStrategy {
            usesPlainKeys = true
        } else {
            usesPlainKeys = false
        }
        cursors = .allocate(capacity: DecodingState.cursorCount)
        cursors.initialize(repeating: Cursor(), count: DecodingState.cursorCount)
    }

    /// Throws if the nesting is too deep, before recursion overflows the stack.
    @inline(__always)
    func checkDepth(_ depth: Int, _ index: Int) throws {
        guard depth > DecodingState.safeDepth else { return }
        if depth > maximumDepth || StackSpace.isShort { throw tooDeep(depth, index) }
    }

    deinit {
        cursors.deallocate()
        keyTypes.release()
    }

    /// Records the type of the keys that decode an object's members, for coding paths.
    @inline(__always)
    func note<Key: CodingKey>(_ type: Key.Type, of object: Int) { keyTypes.note(type, of: object) }

    /// Records that an object is decoded as a dictionary with string keys.
    func noteStringKeys(of object: Int) { keyTypes.noteStrings(of: object) }

    /// Returns a state whose root is null, for a missing value.
    func absent(_ key: any CodingKey, in object: Int) -> DecodingState {
        DecodingState(.null, decoder, base: path(to: object) + [key])
    }

    /// Returns the coding path of a value.
    func path(to target: Int) -> [any CodingKey] {
        base
            + whereabouts.steps(to: target).map { step in
                guard let key = step.key else { return PathKey(step.position) }
                guard !keyTypes.isByStrings(step.container) else { return PathKey(key) }
                let name = convertedKeys[step.container]?.names[step.index] ?? key
                return keyTypes.key(name, of: step.container) ?? PathKey(name)
            }
    }

    /// Returns the index of the value under a key of the object at `object`; nil if missing.
    func find(_ key: String, in object: Int, depth: Int) -> Int? {
        guard usesPlainKeys else { return converted(object).places[key] }
        var key = key
        return key.withUTF8 { key in
            let first = object &+ 1
            let end = object &+ tape[object].upper
            let cursor = cursors[depth & (DecodingState.cursorCount &- 1)]
            let start = Int(cursor.object) == object ? Int(cursor.next) : first
            if let found = search(key, from: start, to: end, object, depth) { return found }
            return search(key, from: first, to: start, object, depth)
        }
    }

    @inline(__always)
    private func search(
        _ key: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int, _ object: Int, _ depth: Int
    ) -> Int? {
        var index = start
        var steps = 0
        while index < end {
            let word = tape[index]
            if (word.upper == key.count || word.isEscaped) && tape.isText(word, equalTo: key) {
                let next = tape.next(index &+ 1)
                cursors[depth & (DecodingState.cursorCount &- 1)] = Cursor(
                    object: Int32(truncatingIfNeeded: object), next: Int32(truncatingIfNeeded: next))
                return index &+ 1
            }
            steps &+= 1
            // The key isn't near the cursor and the object is large: use its hash table.
            if steps == KeyIndexes.threshold { return tape.value(under: key, in: object) }
            index = tape.next(index &+ 1)
        }
        return nil
    }

    /// Returns an object's keys after the key strategy, with the indexes of their values.
    func converted(_ object: Int) -> ConvertedKeys {
        if let known = convertedKeys[object] { return known }
        var result = ConvertedKeys()
        for (raw, place) in members(of: object) {
            result.add(raw, at: place)
        }
        switch decoder.keyDecodingStrategy {
        case .convertFromSnakeCase: result.convert { snakeCase.camelCased($0) }
        case .custom(let convert):
            let path = path(to: object)
            result.convert { convert(path + [PathKey($0)]).stringValue }
        default: break
        }
        convertedKeys[object] = result
        return result
    }

    private func members(of object: Int) -> [(key: String, place: Int)] {
        var result: [(key: String, place: Int)] = []
        var index = object + 1
        let end = object + tape[object].upper
        while index < end {
            result.append((tape.text(tape[index]), index + 1))
            index = tape.next(index + 1)
        }
        return result
    }
}
