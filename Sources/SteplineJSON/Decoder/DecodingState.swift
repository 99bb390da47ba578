import Foundation

/// What all containers of one decoding share; used by one thread at a time, as decoding is.
final class DecodingState {
    /// Where the look-up of the next key starts: types mostly ask for keys in the order in which they stand.
    struct Cursor {
        var object: Int32 = -1
        var next: Int32 = 0
    }

    private static let cursorCount = 32
    /// So many levels fit on any stack.
    private static let safeDepth = 16

    let tape: Tape
    let root: Int
    let decoder: JSON.Decoder
    let usesPlainKeys: Bool
    let userInfo: [CodingUserInfoKey: Any]
    let maximumDepth: Int
    var known = KnownTypes.shared
    /// The way to what is decoded, where that isn't the whole.
    private let base: [any CodingKey]
    private var whereabouts: Whereabouts
    private var keyTypes: KeyTypes
    var listTypes: [ObjectIdentifier: (any ListDecodable.Type)?] = [:]
    /// One for each depth, the deepest sharing; hints only, checked against the object they were left for.
    private let cursors: UnsafeMutablePointer<Cursor>
    private var convertedKeys: [Int: ConvertedKeys] = [:]
    private var snakeCase = SnakeCase()

    init(_ json: JSON, _ decoder: JSON.Decoder, base: [any CodingKey] = []) {
        tape = json.tape
        root = json.index
        self.decoder = decoder
        self.base = base
        whereabouts = Whereabouts(json.tape, root: json.index)
        keyTypes = KeyTypes(root: json.index, count: json.tape[json.index].span)
        userInfo = decoder.userInfo
        // Types that are wrapped in others take more than one level of the document.
        maximumDepth = max(DecodingState.safeDepth, min(max(decoder.options.maximumDepth, 1), 1 << 20) * 2)
        if case .useDefaultKeys = decoder.keyDecodingStrategy {
            usesPlainKeys = true
        } else {
            usesPlainKeys = false
        }
        cursors = .allocate(capacity: DecodingState.cursorCount)
        cursors.initialize(repeating: Cursor(), count: DecodingState.cursorCount)
    }

    /// Decoding recurses on the depth of types and document: it ends in an error before the stack does.
    @inline(__always)
    func checkDepth(_ depth: Int, _ index: Int) throws {
        guard depth > DecodingState.safeDepth else { return }
        if depth > maximumDepth || StackSpace.isShort { throw tooDeep(depth, index) }
    }

    deinit {
        cursors.deallocate()
        keyTypes.release()
    }

    /// The object's members are decoded by keys of that type.
    @inline(__always)
    func note<Key: CodingKey>(_ type: Key.Type, of object: Int) { keyTypes.note(type, of: object) }

    /// The object's members are decoded as those of a dictionary with string keys.
    func noteStringKeys(of object: Int) { keyTypes.noteStrings(of: object) }

    /// A state for the null that stands for what isn't there.
    func absent(_ key: any CodingKey, in object: Int) -> DecodingState {
        DecodingState(.null, decoder, base: path(to: object) + [key])
    }

    /// The keys and positions from where decoding began to a value.
    func path(to target: Int) -> [any CodingKey] {
        base
            + whereabouts.steps(to: target).map { step in
                guard let key = step.key else { return PathKey(step.position) }
                guard !keyTypes.isByStrings(step.container) else { return PathKey(key) }
                let name = convertedKeys[step.container]?.names[step.index] ?? key
                return keyTypes.key(name, of: step.container) ?? PathKey(name)
            }
    }

    /// The index of the value under a key of the object at `object`.
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
            // Far from the expected place in a large object: its hash table is quicker.
            if steps == KeyIndexes.threshold { return tape.value(under: key, in: object) }
            index = tape.next(index &+ 1)
        }
        return nil
    }

    /// The keys of an object as the key strategy has them, and where their values are.
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
