import CLibXML2

/// Converts bytes of any charset that the system knows to UTF-8, chunk by chunk, strictly.
final class Converter {
    private let handler: xmlCharEncodingHandlerPtr
    private let input: xmlBufferPtr
    private let output: xmlBufferPtr
    private let name: String

    init(_ name: String) throws(XMLError) {
        guard name.utf8.count < 64, let handler = xmlFindCharEncodingHandler(name),
            let input = xmlBufferCreate(), let output = xmlBufferCreate()
        else { throw XMLError(.encoding, "the encoding '\(name.prefix(64))' is unknown") }
        self.handler = handler
        self.input = input
        self.output = output
        self.name = name
    }

    deinit {
        xmlCharEncCloseFunc(handler)
        xmlBufferFree(input)
        xmlBufferFree(output)
    }

    /// Hands the converted bytes to `sink`, in pieces.
    func convert(
        _ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool,
        into sink: (UnsafeBufferPointer<UInt8>) throws(XMLError) -> Void
    ) throws(XMLError) {
        var rest = bytes
        repeat {
            let piece = UnsafeBufferPointer(rebasing: rest.prefix(16_384))
            rest = UnsafeBufferPointer(rebasing: rest.dropFirst(piece.count))
            if let start = piece.baseAddress { xmlBufferAdd(input, start, Int32(piece.count)) }
            try drain(into: sink)
        } while !rest.isEmpty
        if isLast, input.pointee.use > 0 {
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
            // What remains of a few bytes is the start of a character; of more, a stretch that can't be read.
            if result == -2 || (input.pointee.use == before && before > 8) {
                throw XMLError(.encoding, "the bytes aren't \(name)")
            }
            if input.pointee.use == before { return }
        }
    }
}
