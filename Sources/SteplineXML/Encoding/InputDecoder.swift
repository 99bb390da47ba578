/// Converts chunks of bytes in any encoding to validated UTF-8.
struct InputDecoder {
    private enum Mode {
        case sniffing
        case checking
        case converting(Converter)
    }

    private let charset: String?
    private var mode = Mode.sniffing
    /// Bytes that need more input: the beginning of the document or of a character.
    private var pending: [UInt8] = []
    /// The encoding once it is detected.
    private(set) var encoding = "UTF-8"

    init(charset: String?) { self.charset = charset }

    /// Converts bytes and passes them to `sink` in pieces of whole characters.
    mutating func decode(
        _ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool,
        into sink: (UnsafeBufferPointer<UInt8>) throws(XMLError) -> Void
    ) throws(XMLError) {
        if pending.isEmpty { return try decodeWhole(bytes, isLast: isLast, into: sink) }
        pending.append(contentsOf: bytes)
        let joined = pending
        pending = []
        try joined.withUnsafeBufferPointer { (bytes) throws(XMLError) in
            try decodeWhole(bytes, isLast: isLast, into: sink)
        }
    }

    private mutating func decodeWhole(
        _ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool,
        into sink: (UnsafeBufferPointer<UInt8>) throws(XMLError) -> Void
    ) throws(XMLError) {
        switch mode {
        case .sniffing:
            guard isLast || Self.isEnough(bytes) else { return pending = Array(bytes) }
            let sniffed = try EncodingSniffer(bytes, charset: charset)
            encoding = sniffed.name
            mode = sniffed.isUTF8 ? .checking : .converting(try Converter(sniffed.name))
            let rest = UnsafeBufferPointer(rebasing: bytes.dropFirst(sniffed.markLength))
            try decodeWhole(rest, isLast: isLast, into: sink)
        case .checking:
            try check(bytes, isLast: isLast, into: sink)
        case .converting(let converter):
            try converter.convert(bytes, isLast: isLast) { (piece) throws(XMLError) in
                try Self.pass(piece, UTF8Check(piece), encoding, into: sink)
            }
        }
    }

    private static func isEnough(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count >= 5 else { return false }
        return !bytes.starts(with: "<?xml".utf8) || bytes.contains(UInt8(ascii: ">"))
            || bytes.count >= EncodingSniffer.enough
    }

    private mutating func check(
        _ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool,
        into sink: (UnsafeBufferPointer<UInt8>) throws(XMLError) -> Void
    ) throws(XMLError) {
        let check = UTF8Check(bytes)
        guard !isLast, case .incomplete(let offset) = check else {
            return try Self.pass(bytes, check, encoding, into: sink)
        }
        pending = Array(bytes[offset...])
        if offset > 0 { try sink(UnsafeBufferPointer(rebasing: bytes[..<offset])) }
    }

    /// Passes the valid bytes on, up to the first invalid one.
    private static func pass(
        _ bytes: UnsafeBufferPointer<UInt8>, _ check: UTF8Check, _ encoding: String,
        into sink: (UnsafeBufferPointer<UInt8>) throws(XMLError) -> Void
    ) throws(XMLError) {
        let valid = check.fault.map { UnsafeBufferPointer(rebasing: bytes[..<$0]) } ?? bytes
        if !valid.isEmpty { try sink(valid) }
        try refuse(check, in: bytes, encoding: encoding)
    }

    /// Throws an error with line and column if the bytes are invalid.
    static func refuse(
        _ check: UTF8Check, in bytes: UnsafeBufferPointer<UInt8>, encoding: String
    ) throws(XMLError) {
        guard let offset = check.fault else { return }
        let (code, message): (XMLError.Code, String)
        if case .null = check {
            (code, message) = (.malformed, "a NUL character")
        } else {
            (code, message) = (.encoding, "the bytes aren't \(encoding)")
        }
        let before = bytes[..<offset]
        let line = before.reduce(1) { $0 + ($1 == 10 ? 1 : 0) }
        let lineStart = before.lastIndex(of: 10).map { $0 + 1 } ?? 0
        throw XMLError(code, message, line: line, column: offset - lineStart + 1)
    }
}
