import Foundation

/// The identities of the types that are checked most often, cached because runtime type checks are slow.
///
/// The members are variables: for constants the compiler would inline the checks at each use.
struct KnownTypes: Sendable {
    static let shared = KnownTypes()

    var strings = ObjectIdentifier([String].self)
    var integers = ObjectIdentifier([Int].self)
    var doubles = ObjectIdentifier([Double].self)
    var date = ObjectIdentifier(Date.self)
    var data = ObjectIdentifier(Data.self)
    var url = ObjectIdentifier(URL.self)
    var decimal = ObjectIdentifier(Decimal.self)
    var json = ObjectIdentifier(JSON.self)

    /// Whether the decoder handles the type itself, instead of calling its `init(from:)`.
    @inline(__always)
    func isSpecial(_ id: ObjectIdentifier) -> Bool {
        id == date || id == data || id == url || id == decimal || id == json
    }
}

extension DecodingState {
    /// Decodes a value of any type.
    ///
    /// Scalars and the types with strategies are decoded directly, all others by their `init(from:)`.
    func decode<T: Decodable>(_ type: T.Type, _ index: Int, depth: Int) throws -> T {
        if type == String.self { return try unsafeBitCast(string(index), to: type) }
        if type == Int.self { return try unsafeBitCast(integer(Int.self, index), to: type) }
        if type == Double.self { return try unsafeBitCast(double(index), to: type) }
        if type == Bool.self { return try unsafeBitCast(bool(index), to: type) }
        let id = ObjectIdentifier(type)
        // The usual lists are decoded without the cast to `ListDecodable` and a call per element.
        if id == known.strings { return try unsafeBitCast(list(type, index) { try string($0) }, to: type) }
        if id == known.integers {
            return try unsafeBitCast(list(type, index) { try integer(Int.self, $0) }, to: type)
        }
        if id == known.doubles { return try unsafeBitCast(list(type, index) { try double($0) }, to: type) }
        if known.isSpecial(id) { return try special(type, index, depth: depth) }
        try checkDepth(depth, index)
        if tape[index].isArray, let list = listType(type) {
            return try make(list, index, depth: depth)
        }
        // A dictionary with string keys gets its keys unconverted, which `init(from:)` couldn't do.
        if !usesPlainKeys, tape[index].isObject { return try withoutKeyStrategy(type, index, depth: depth) }
        return try T(from: ValueDecoder(state: self, index: index, depth: depth))
    }

    // A separate function: inside `decode` it would ask the runtime for `Optional<T>` at each call.
    @inline(never)
    private func special<T: Decodable>(_ type: T.Type, _ index: Int, depth: Int) throws -> T {
        switch type {
        case is Date.Type: try cast(date(index, depth: depth), index)
        case is Data.Type: try cast(data(index, depth: depth), index)
        case is URL.Type: try cast(url(index), index)
        case is Decimal.Type: try cast(decimal(index), index)
        default: try cast(JSON(tape: tape, index: index), index)
        }
    }

    private func make<T, List: ListDecodable>(_ list: List.Type, _ index: Int, depth: Int) throws -> T {
        unsafeBitCast(try List.decode(with: self, index, depth: depth), to: T.self)  // List is T
    }

    @inline(__always)
    private func list<Element>(
        _ type: Any.Type, _ index: Int, _ element: (Int) throws -> Element
    ) throws -> [Element] {
        let header = tape[index]
        guard header.isArray else { throw typeMismatch([Any].self, index) }
        var result: [Element] = []
        result.reserveCapacity(header.lower)
        var child = index &+ 1
        let end = index &+ header.upper
        while child < end {
            result.append(try element(child))
            child = tape.next(child)
        }
        return result
    }

    @inline(never)
    private func cast<T>(_ value: Any, _ index: Int) throws -> T {
        guard let value = value as? T else { throw typeMismatch(T.self, index) }
        return value
    }
}
