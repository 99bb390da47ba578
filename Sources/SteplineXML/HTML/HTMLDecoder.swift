/// Converts the bytes of a page to UTF-8; invalid bytes become U+FFFD.
struct HTMLDecoder {
    private let charset: String?
    /// The detected encoding.
    private(set) var encoding = "UTF-8"
    /// The problems with the declared encoding or with the bytes.
    private(set) var problems: [XMLError] = []

    init(charset: String?) { self.charset = charset }

    mutating func decode(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        for candidate in HTMLEncoding.candidates(bytes, charset: charset) {
            let content = UnsafeBufferPointer(rebasing: bytes.dropFirst(candidate.markLength))
            if candidate.isUTF8 { return mended(content) }
            do throws(XMLError) {
                let converter = try Converter(candidate.name, isLenient: true)
                encoding = candidate.name
                return try converted(content, by: converter)
            } catch {
                problems.append(error)
            }
        }
        return guessed(bytes)
    }

    /// Decodes as UTF-8, unless more bytes contradict UTF-8 than confirm it.
    private mutating func guessed(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        encoding = "UTF-8"
        if UTF8Check(bytes) == .valid { return Array(bytes) }
        let spans = UTF8Spans(bytes)
        if spans.faults > spans.characters, let converter = try? Converter("WINDOWS-1252", isLenient: true),
            let text = try? converted(bytes, by: converter)
        {
            encoding = "WINDOWS-1252"
            problems.append(
                XMLError(.encoding, "no encoding is declared, and the bytes are read as windows-1252"))
            return text
        }
        return mended(bytes)
    }

    private mutating func converted(
        _ bytes: UnsafeBufferPointer<UInt8>, by converter: Converter
    ) throws(XMLError) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + bytes.count / 8)
        try converter.convert(bytes, isLast: true) { (piece) throws(XMLError) in
            text.append(contentsOf: piece)
        }
        if converter.replacements > 0 {
            problems.append(
                XMLError(.encoding, "\(converter.replacements) bytes aren't \(encoding), and are replaced"))
        }
        return text
    }

    /// Decodes UTF-8, replacing each invalid byte.
    private mutating func mended(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        encoding = "UTF-8"
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var rest = bytes
        var count = 0
        while !rest.isEmpty {
            let check = UTF8Check(rest)
            var place = check.fault ?? rest.count
            if case .null = check { place += 1 }
            text.append(contentsOf: rest[..<place])
            rest = UnsafeBufferPointer(rebasing: rest[place...])
            if case .null = check { continue }
            guard !rest.isEmpty else { break }
            if count == 0 {
                let line = text.reduce(1) { $0 + ($1 == 10 ? 1 : 0) }
                problems.append(XMLError(.encoding, "bytes aren't UTF-8, and are replaced", line: line))
            }
            count += 1
            text.append(contentsOf: [0xEF, 0xBF, 0xBD])
            // A truncated character counts as one error.
            rest = UnsafeBufferPointer(rebasing: rest.dropFirst(check == .incomplete(place) ? rest.count : 1))
        }
        return text
    }
}

/// The number of bytes that confirm and contradict UTF-8.
struct UTF8Spans {
    private(set) var characters = 0
    private(set) var faults = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        var rest = bytes
        while !rest.isEmpty {
            let check = UTF8Check(rest)
            let fault = check.fault ?? rest.count
            characters += rest[..<fault].reduce(0) { $0 + ($1 >= 0xC0 ? 1 : 0) }
            // A truncated last character doesn't contradict UTF-8.
            if case .invalid = check { faults += 1 }
            rest = UnsafeBufferPointer(rebasing: rest.dropFirst(fault + 1))
        }
    }
}
