import Foundation

/// What all containers of one decoding share; used by one thread at a time, as decoding is.
final class DecodingState {
    /// Where the look-up of the next key starts: types mostly ask for keys in the order in which they stand.
    struct Cursor {
        var object: Int32 = -1
        var next: Int32 = 0
    }

    private static let cursorCount = 32

    let tape: Tape
    let root: Int
    let decoder: JSON.Decoder
    let usesPlainKeys: Bool
    let userInfo: [CodingUserInfoKey: Any]
    let maximumDepth: Int
    var known = KnownTypes.shared
    var whereabouts: Whereabouts
    var listTypes: [ObjectIdentifier: (any ListDecodable.Type)?] = [:]
    /// One for each depth, the deepest sharing; hints only, checked against the object they were left for.
    private let cursors: UnsafeMutablePointer<Cursor>
    /// The keys of objects after the key strategy.
    private var convertedKeys: [Int: [String: Int]] = [:]

    init(_ json: JSON, _ decoder: JSON.Decoder) {
        tape = json.tape
        root = json.index
        self.decoder = decoder
        whereabouts = Whereabouts(json.tape, root: json.index)
        userInfo = decoder.userInfo
        // Types that are wrapped in others take more than one level of the document.
        maximumDepth = min(max(decoder.options.maximumDepth, 1), 2048) * 2
        if case .useDefaultKeys = decoder.keyDecodingStrategy {
            usesPlainKeys = true
        } else {
            usesPlainKeys = false
        }
        cursors = .allocate(capacity: DecodingState.cursorCount)
        cursors.initialize(repeating: Cursor(), count: DecodingState.cursorCount)
    }

    deinit { cursors.deallocate() }

    /// The index of the value under a key of the object at `object`.
    func find(_ key: String, in object: Int, depth: Int) -> Int? {
        guard usesPlainKeys else { return converted(object)[key] }
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
    func converted(_ object: Int) -> [String: Int] {
        if let known = convertedKeys[object] { return known }
        var result: [String: Int] = [:]
        let path = path(to: object)
        var index = object + 1
        let end = object + tape[object].upper
        while index < end {
            let key = convert(tape.text(tape[index]), at: path)
            if result[key] == nil { result[key] = index + 1 }
            index = tape.next(index + 1)
        }
        convertedKeys[object] = result
        return result
    }

    func convert(_ key: String, at path: [any CodingKey]) -> String {
        switch decoder.keyDecodingStrategy {
        case .useDefaultKeys: key
        case .convertFromSnakeCase: SnakeCase.camelCased(key)
        case .custom(let convert): convert(path + [PathKey(key)]).stringValue
        @unknown default: key
        }
    }
}
