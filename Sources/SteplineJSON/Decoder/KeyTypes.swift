import Foundation

/// Records the type of the keys that decode each object, so that coding paths contain keys of that type.
///
/// A byte for each word of the tape holds the number of the type. Recording is one store; a path is built only
/// for an error.
struct KeyTypes {
    private static let unknown: UInt8 = 0
    private static let strings: UInt8 = 255

    private let root: Int
    private let numbers: UnsafeMutablePointer<UInt8>?
    private var identifiers: [ObjectIdentifier] = []
    private var types: [any CodingKey.Type] = []

    init(root: Int, count: Int) {
        self.root = root
        // `calloc` returns large blocks as untouched zero pages. If it fails, paths have plain keys.
        numbers = calloc(max(1, count), 1)?.assumingMemoryBound(to: UInt8.self)
    }

    func release() { free(numbers) }

    @inline(__always)
    mutating func note<Key: CodingKey>(_ type: Key.Type, of object: Int) {
        let identifier = ObjectIdentifier(type)
        for index in 0..<identifiers.count where identifiers[index] == identifier {
            numbers?[object &- root] = UInt8(truncatingIfNeeded: index &+ 1)
            return
        }
        add(type, of: object)
    }

    @inline(never)
    private mutating func add(_ type: any CodingKey.Type, of object: Int) {
        guard identifiers.count + 1 < KeyTypes.strings else {
            numbers?[object - root] = KeyTypes.unknown
            return
        }
        identifiers.append(ObjectIdentifier(type))
        types.append(type)
        numbers?[object - root] = UInt8(identifiers.count)
    }

    func noteStrings(of object: Int) { numbers?[object - root] = KeyTypes.strings }

    func isByStrings(_ object: Int) -> Bool { numbers?[object - root] == KeyTypes.strings }

    /// Returns a key of the object's key type; nil if the type is unknown.
    func key(_ name: String, of object: Int) -> (any CodingKey)? {
        guard let number = numbers?[object - root], number != KeyTypes.unknown, number <= types.count else {
            return nil
        }
        guard let key = types[Int(number) - 1].init(stringValue: name), key.stringValue == name else {
            return nil
        }
        return key
    }
}
