/// The encoding of a JSON text, detected by its byte order mark or by the zero bytes in its first characters.
struct TextEncoding {
    /// The size of a code unit in bytes: 1, 2 or 4.
    let unit: Int
    let isBigEndian: Bool
    let markLength: Int

    init(detecting bytes: UnsafeRawBufferPointer) {
        let head = (0..<4).map { $0 < bytes.count ? bytes[$0] : nil }
        switch (head[0], head[1], head[2], head[3]) {
        case (0xEF, 0xBB, 0xBF, _): self.init(1, false, mark: 3)
        case (0xFF, 0xFE, 0, 0): self.init(4, false, mark: 4)
        case (0, 0, 0xFE, 0xFF): self.init(4, true, mark: 4)
        case (0xFF, 0xFE, _, _): self.init(2, false, mark: 2)
        case (0xFE, 0xFF, _, _): self.init(2, true, mark: 2)
        case (0, 0, 0, .some(1...)): self.init(4, true, mark: 0)
        case (.some(1...), 0, 0, 0): self.init(4, false, mark: 0)
        case (0, .some(1...), _, _): self.init(2, true, mark: 0)
        case (.some(1...), 0, _, _): self.init(2, false, mark: 0)
        default: self.init(1, false, mark: 0)
        }
    }

    /// UTF-8 without a byte order mark.
    static let utf8 = TextEncoding(1, false, mark: 0)

    /// UTF-8, with a byte order mark or without.
    init(utf8 bytes: UnsafeRawBufferPointer) {
        self.init(1, false, mark: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    }

    private init(_ unit: Int, _ isBigEndian: Bool, mark: Int) {
        self.unit = unit
        self.isBigEndian = isBigEndian
        markLength = mark
    }

    /// Returns the text after the byte order mark as UTF-8.
    func transcode(_ body: UnsafeRawBufferPointer) throws(JSONError) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(body.count / unit + body.count / 4)
        var offset = 0
        while offset < body.count {
            guard let (scalar, length) = scalar(body, at: offset) else {
                throw failure(result, at: offset + markLength)
            }
            if scalar.value < 0x80 {
                result.append(UInt8(truncatingIfNeeded: scalar.value))
            } else {
                result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
            offset += length
        }
        return result
    }

    /// Returns the scalar at an offset and its length in bytes; nil if truncated or invalid.
    func scalar(_ body: UnsafeRawBufferPointer, at offset: Int) -> (Unicode.Scalar, Int)? {
        guard let first = codeUnit(body, at: offset) else { return nil }
        guard unit == 2, first & 0xFC00 == 0xD800 else { return Unicode.Scalar(first).map { ($0, unit) } }
        guard let second = codeUnit(body, at: offset + 2), second & 0xFC00 == 0xDC00 else { return nil }
        return Unicode.Scalar(0x10000 + ((first & 0x3FF) << 10 | second & 0x3FF)).map { ($0, 4) }
    }

    private func codeUnit(_ body: UnsafeRawBufferPointer, at offset: Int) -> UInt32? {
        guard offset + unit <= body.count else { return nil }
        var value: UInt32 = 0
        for index in 0..<unit {
            let byte = UInt32(body[offset + (isBigEndian ? index : unit - 1 - index)])
            value = value << 8 | byte
        }
        return value
    }

    private func failure(_ before: [UInt8], at offset: Int) -> JSONError {
        let (line, column) = before.withUnsafeBytes { TextPlace.lineAndColumn(of: $0.count, in: $0) }
        return JSONError(
            .invalidEncoding, message: JSONError.Code.invalidEncoding.message, byteOffset: offset, line: line,
            column: column)
    }
}
