import CLibXML2

/// Converts bytes in any encoding of libxml2 to UTF-8 in chunks.
///
/// Strict conversion throws for invalid bytes, lenient conversion replaces them by U+FFFD.
final class Converter {
    private let handler: xmlCharEncodingHandlerPtr
    private let input: xmlBufferPtr
    private let output: xmlBufferPtr
    private let name: String
    private let isLenient: Bool
    /// The number of replaced bytes.
    private(set) var replacements = 0

    init(_ name: String, isLenient: Bool = false) throws(XMLError) {
        guard !Self.isRefused(name) else {
            throw XMLError(.encoding, "the encoding '\(name)' isn't read: it hides markup from filters")
        }
        guard name.utf8.count < 64, let handler = xmlFindCharEncodingHandler(name),
            let input = xmlBufferCreate(), let output = xmlBufferCreate()
        else { throw XMLError(.encoding, "the encoding '\(name.prefix(64))' is unknown") }
        self.handler = handler
        self.input = input
        self.output = output
        self.name = name
        self.isLenient = isLenient
    }

    /// Returns whether an encoding is refused: text in UTF-7 and similar encodings can hide markup from filters.
    private static func isRefused(_ name: String) -> Bool {
        let name = name.uppercased().filter { $0.isLetter || $0.isNumber }
        return name.contains("UTF7") || name == "HZ" || name == "HZGB2312"
    }

    deinit {
        xmlCharEncCloseFunc(handler)
        xmlBufferFree(input)
        xmlBufferFree(output)
    }

    /// Converts bytes and passes the result to `sink` in pieces.
    func convert(
        _ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool,
        into sink: (UnsafeBufferPointer<UInt8>) throws(XMLError) -> Void
    ) throws(XMLError) {
        var rest = bytes
        repeat {
            // Removing converted bytes moves all remaining ones: keep the buffer small.
            let piece = UnsafeBufferPointer(rebasing: rest.prefix(isLenient ? 1_024 : 16_384))
            rest = UnsafeBufferPointer(rebasing: rest.dropFirst(piece.count))
            if let start = piece.baseAddress { xmlBufferAdd(input, start, Int32(piece.count)) }
            try drain(into: sink)
        } while !rest.isEmpty
        if isLast, input.pointee.use > 0 {
            guard !isLenient else { return try replace(Int(input.pointee.use), into: sink) }
            throw XMLError(.encoding, "the input ends within a character of \(name)")
        }
    }

    private func drain(into sink: (UnsafeBufferPointer<UInt8>) throws(XMLError) -> Void) throws(XMLError) {
        while input.pointee.use > 0 {
            let before = input.pointee.use
            let result = LibXML.quietly { xmlCharEncInFunc(handler, output, input) }
            if output.pointee.use > 0, let content = output.pointee.content {
                try sink(UnsafeBufferPointer(start: content, count: Int(output.pointee.use)))
                xmlBufferEmpty(output)
            }
            // A few remaining bytes are an incomplete character; more are invalid.
            if result == -2 || (input.pointee.use == before && before > 8) {
                guard isLenient else { throw XMLError(.encoding, "the bytes aren't \(name)") }
                try replace(1, into: sink)
                continue
            }
            if input.pointee.use == before { return }
        }
    }

    private func replace(
        _ count: Int, into sink: (UnsafeBufferPointer<UInt8>) throws(XMLError) -> Void
    ) throws(XMLError) {
        replacements += count
        xmlBufferShrink(input, UInt32(count))
        let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]
        try replacement.withUnsafeBufferPointer { (bytes) throws(XMLError) in try sink(bytes) }
    }
}
