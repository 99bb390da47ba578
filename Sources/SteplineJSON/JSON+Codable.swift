import Foundation

extension JSON: Codable {
    /// Decodes any JSON value from any decoder.
    ///
    /// `JSON.Decoder` keeps all digits and the order of members. Other decoders don't.
    ///
    /// - Throws: `DecodingError` for a value that JSON doesn't have, or that is nested deeper than the stack allows.
    public init(from decoder: any Swift.Decoder) throws {
        if let decoder = decoder as? ValueDecoder {
            self.init(tape: decoder.state.tape, index: decoder.index)
        } else if StackSpace.isShort {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: JSON.tooDeepForStack))
        } else if let container = try? decoder.container(keyedBy: PathKey.self) {
            self = try JSON(
                members: container.allKeys.map {
                    (key: $0.stringValue, value: try container.decode(JSON.self, forKey: $0))
                })
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [JSON] = []
            while !container.isAtEnd { elements.append(try container.decode(JSON.self)) }
            self = try JSON(elements: elements)
        } else {
            self = try JSON(plain: decoder.singleValueContainer())
        }
    }

    private init(plain container: any SingleValueDecodingContainer) throws {
        if container.decodeNil() {
            self = .null
        } else if let truth = try? container.decode(Bool.self) {
            self.init(truth)
        } else if let number = try? container.decode(Int64.self) {
            self.init(number)
        } else if let number = try? container.decode(UInt64.self) {
            self.init(number)
        } else if let number = try? container.decode(Int128.self) {
            self.init(number)
        } else if let number = try? container.decode(UInt128.self) {
            self.init(number)
        } else if let number = try? container.decode(Double.self) {
            self.init(number)
        } else {
            self.init(try container.decode(String.self))
        }
    }

    /// Encodes the value with any encoder.
    ///
    /// Encoders recurse. Whole numbers beyond 128 bits become doubles, as do those beyond 64 bits if the encoder has no
    /// wider integers.
    ///
    /// - Throws: `EncodingError` for a value nested deeper than the stack allows, or the error of the encoder.
    public func encode(to encoder: any Encoder) throws {
        if word.isContainer, StackSpace.isShort {
            throw EncodingError.invalidValue(
                self, .init(codingPath: encoder.codingPath, debugDescription: JSON.tooDeepForStack))
        }
        switch kind {
        case .object:
            var container = encoder.container(keyedBy: PathKey.self)
            for (key, value) in members { try container.encode(value, forKey: PathKey(key)) }
        case .array:
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        default:
            var container = encoder.singleValueContainer()
            try encodePlain(into: &container)
        }
    }

    private static let tooDeepForStack = "Values are nested deeper than the stack holds."

    private func encodePlain(into container: inout any SingleValueEncodingContainer) throws {
        if let string {
            try container.encode(string)
        } else if let bool {
            try container.encode(bool)
        } else if word.kind == .integer, let int64: Int64 = integer() {
            try container.encode(int64)
        } else if word.kind == .integer, let uint64: UInt64 = integer() {
            try container.encode(uint64)
        } else if word.kind == .integer, try encodeWide(into: &container) {
            return
        } else if let double {
            try container.encode(double)
        } else if let decimal {
            try container.encode(decimal)
        } else {
            try container.encodeNil()
        }
    }

    /// Encodes the number as a 128-bit integer if the encoder supports them.
    ///
    /// - Returns: Whether the number was encoded.
    private func encodeWide(into container: inout any SingleValueEncodingContainer) throws -> Bool {
        do {
            if let number: Int128 = integer() {
                try container.encode(number)
            } else if let number: UInt128 = integer() {
                try container.encode(number)
            } else {
                return false
            }
            return true
        } catch is EncodingError {
            return false
        }
    }
}
