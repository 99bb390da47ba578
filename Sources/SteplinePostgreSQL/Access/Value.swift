import Foundation

/// A parameter of a statement in the server's binary format; nil bytes stand for NULL.
struct Value {
    /// The element types of arrays, by the server's type identifiers.
    private enum Kind: Int32 {
        case data = 17
        case int8 = 20
        case text = 25
        case float8 = 701
    }

    let bytes: [UInt8]?

    private init(bytes: [UInt8]?) { self.bytes = bytes }

    static let null = Value(bytes: nil)

    init(_ value: Int) { self.init(bytes: Self.big(Int64(value))) }

    init(_ value: Int?) { self.init(bytes: value.map { Self.big(Int64($0)) }) }

    /// Creates the signed integer with the same bits.
    init(_ value: UInt64) { self.init(bytes: Self.big(Int64(bitPattern: value))) }

    init(_ value: Double) { self.init(bytes: Self.big(value.bitPattern)) }

    /// Creates seconds since 2001, in which every `Date` is exact.
    init(_ value: Date?) {
        self.init(bytes: value.map { Self.big($0.timeIntervalSinceReferenceDate.bitPattern) })
    }

    init(_ value: String?) { self.init(bytes: value.map { Array($0.utf8) }) }

    init(_ value: Data?) { self.init(bytes: value.map { Array($0) }) }

    // MARK: Lists

    static func list(_ values: some Collection<Int?>) -> Value {
        list(values.map { $0.map { big(Int64($0)) } }, .int8)
    }

    static func list(_ values: some Collection<UInt64>) -> Value {
        list(values.map { big(Int64(bitPattern: $0)) }, .int8)
    }

    static func list(_ values: some Collection<Double?>) -> Value {
        list(values.map { $0.map { big($0.bitPattern) } }, .float8)
    }

    static func list(_ values: some Collection<Date?>) -> Value {
        list(values.map { $0.map { big($0.timeIntervalSinceReferenceDate.bitPattern) } }, .float8)
    }

    static func list(_ values: some Collection<String?>) -> Value {
        list(values.map { $0.map { Array($0.utf8) } }, .text)
    }

    static func list(_ values: some Collection<Data?>) -> Value {
        list(values.map { $0.map { Array($0) } }, .data)
    }

    private static func list(_ values: [[UInt8]?], _ kind: Kind) -> Value {
        // Array header: dimensions, null flag, element type, count, lower bound. Then each element after its length; -1
        // for NULL.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(values.reduce(20) { $0 + 4 + ($1?.count ?? 0) })
        for head in [Int32(1), 1, kind.rawValue, Int32(values.count), 1] { bytes += big(head) }
        for value in values {
            // `Session` rejects values that exceed the limit.
            bytes += big(value.map { Int32(clamping: $0.count) } ?? -1)
            if let value { bytes += value }
        }
        return Value(bytes: bytes)
    }

    private static func big(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
}
