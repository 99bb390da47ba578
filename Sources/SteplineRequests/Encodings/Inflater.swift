#if os(Linux)
    import CCurl
    import Foundation

    /// The decompressor for one encoding: all members of gzip, and both formats that servers call deflate.
    ///
    /// | Place | Meaning | Left by |
    /// | --- | --- | --- |
    /// | start | no byte was read | the first byte (deflate: two bytes, which select the format) |
    /// | inside | within a compressed stream | its end |
    /// | behind | after a complete stream | another gzip member |
    ///
    /// The output buffer has 64 KiB and is reused. The caller must consume the output of one call before the next call.
    final class Inflater {
        enum Form { case gzip, deflate }

        /// The error of invalid compressed data.
        struct Broken: Error, CustomStringConvertible {
            let description: String
        }

        private enum Place {
            /// No byte has arrived.
            case start
            case inside
            /// A stream has ended; another one may follow.
            case after
        }

        private static let pieceSize = 64 << 10

        /// The unprocessed input, whose memory must stay valid until it is consumed.
        var input = UnsafeRawBufferPointer(start: nil, count: 0)

        private let form: Form
        private var place = Place.start
        /// Whether the buffer was filled, so more output may follow without further input.
        private var isFull = false
        private var inflater: UnsafeMutableRawPointer?
        /// The first byte of a deflate stream, until the second byte selects the format.
        private var first: UInt8?
        private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 16)

        init(_ form: Form) { self.form = form }

        deinit {
            cinflate_free(inflater)
            room.deallocate()
        }

        /// Whether the input ended within a stream.
        var isCut: Bool { first != nil || place == .inside }

        /// Returns the next output, in a reused buffer; nil if more input is needed.
        func next() throws -> UnsafeRawBufferPointer? {
            while isFull || !input.isEmpty {
                switch place {
                case .start: try begin()
                case .inside: if let bytes = try unpack() { return bytes }
                case .after: try resume()
                }
            }
            return nil
        }

        private func begin() throws {
            // Only deflate is ambiguous.
            guard form == .deflate else { return try make(CINFLATE_GZIP) }
            guard let one = first else {
                first = input[0]
                drop(1)
                return
            }
            // By the standard it is the zlib format, but many servers send raw deflate.
            let two = Int(one) << 8 | Int(input[0])
            try make(one & 15 == 8 && two % 31 == 0 ? CINFLATE_ZLIB : CINFLATE_RAW)
            first = nil
            // A single byte produces no output in either format.
            _ = try withUnsafeBytes(of: one) { try run($0) }
        }

        private func make(_ form: cinflate_form) throws {
            inflater = cinflate_make(form)
            if inflater == nil { throw Broken(description: "there is no memory to unpack the body") }
            place = .inside
        }

        private func unpack() throws -> UnsafeRawBufferPointer? {
            let (hasEnded, read, written) = try run(input)
            drop(read)
            // A full buffer means that zlib may hold more output for the same input.
            isFull = !hasEnded && written == room.count
            if hasEnded {
                place = .after
            } else if read == 0, written == 0, !input.isEmpty {
                // No progress despite input: zlib would repeat this call forever.
                throw Broken(description: "the packed body is broken")
            }
            guard written > 0 else { return nil }
            return UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<written])
        }

        /// Decompresses bytes into the buffer.
        private func run(
            _ bytes: UnsafeRawBufferPointer
        ) throws -> (hasEnded: Bool, read: Int, written: Int) {
            var (read, written) = (0, 0)
            let state = cinflate_run(
                inflater, bytes.baseAddress, bytes.count, room.baseAddress, room.count, &read, &written)
            if state == CINFLATE_BROKEN { throw Broken(description: "the packed body is broken") }
            return (state == CINFLATE_ENDED, read, written)
        }

        private func drop(_ count: Int) { input = UnsafeRawBufferPointer(rebasing: input[count...]) }

        /// Handles the input after a stream: another gzip member, or padding zeros.
        private func resume() throws {
            if form == .gzip, input[0] == 0x1F {
                // Concatenated gzip members form one body (RFC 1952).
                cinflate_reset(inflater)
                place = .inside
                return
            }
            // Other trailing bytes could hide data from one of two parsers.
            guard input[0] == 0 else { throw Broken(description: "something follows the packed body") }
            drop(1)
        }
    }
#endif
