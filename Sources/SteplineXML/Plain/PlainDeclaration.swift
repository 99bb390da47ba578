/// An XML declaration of version 1.0 on one line.
struct PlainDeclaration {
    private(set) var isStandalone: Bool?

    /// Parses the declaration without its final `>`; nil if it is unusual.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        var scanner = Scanner(bytes: bytes, place: 5)
        guard bytes.count > 8, bytes[bytes.count - 1] == UInt8(ascii: "?"),
            scanner.value(of: "version").map({ $0.elementsEqual("1.0".utf8) }) == true
        else { return nil }
        if let encoding = scanner.value(of: "encoding") {
            guard let first = encoding.first, Self.isLetter(first), encoding.allSatisfy(Self.isInEncoding)
            else {
                return nil
            }
        }
        if let value = scanner.value(of: "standalone") {
            let isYes = value.elementsEqual("yes".utf8)
            guard isYes || value.elementsEqual("no".utf8) else { return nil }
            isStandalone = isYes
        }
        scanner.skipBlanks()
        guard scanner.place == bytes.count - 1 else { return nil }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        byte | 32 >= UInt8(ascii: "a") && byte | 32 <= UInt8(ascii: "z")
    }

    private static func isInEncoding(_ byte: UInt8) -> Bool {
        isLetter(byte) || (48...57).contains(byte) || byte == 45 || byte == 46 || byte == 95
    }

    private struct Scanner {
        let bytes: UnsafeBufferPointer<UInt8>
        var place: Int

        mutating func skipBlanks() {
            while place < bytes.count, bytes[place] == 32 { place += 1 }
        }

        /// Returns the value of the next attribute if it has this name; otherwise reads nothing.
        mutating func value(of name: StaticString) -> Slice<UnsafeBufferPointer<UInt8>>? {
            var ahead = self
            ahead.skipBlanks()
            guard ahead.place > place else { return nil }
            let count = name.utf8CodeUnitCount
            for index in 0..<count {
                guard ahead.place < bytes.count, bytes[ahead.place] == name.utf8Start[index] else {
                    return nil
                }
                ahead.place += 1
            }
            ahead.skipBlanks()
            guard ahead.place < bytes.count, bytes[ahead.place] == UInt8(ascii: "=") else { return nil }
            ahead.place += 1
            ahead.skipBlanks()
            guard ahead.place < bytes.count else { return nil }
            let quote = bytes[ahead.place]
            guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
                let stop = bytes[(ahead.place + 1)...].firstIndex(of: quote)
            else { return nil }
            let value = bytes[(ahead.place + 1)..<stop]
            ahead.place = stop + 1
            self = ahead
            return value
        }
    }
}
