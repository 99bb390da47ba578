#if os(Linux)
    import CCurl
    import Foundation

    /// Unpacks bytes of one encoding: all members of gzip, and both things that servers call deflate.
    final class Inflater {
        enum Form { case gzip, deflate }

        /// The bytes aren't what they are said to be.
        struct Broken: Error, CustomStringConvertible {
            let description: String
        }

        private enum Place {
            /// Nothing has come.
            case start
            case inside
            /// A whole has ended; another may follow.
            case behind
        }

        private static let pieceSize = 64 << 10

        /// What is still to be unpacked; it has to stay where it is until nothing more comes of it.
        var input = UnsafeRawBufferPointer(start: nil, count: 0)

        private let form: Form
        private var place = Place.start
        /// Whether the room was filled, so that more may come of what has been read already.
        private var isFull = false
        private var inflater: UnsafeMutableRawPointer?
        /// The first byte of what may be one of two forms, until the second is there.
        private var first: UInt8?
        private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 16)

        init(_ form: Form) { self.form = form }

        deinit {
            cinflate_free(inflater)
            room.deallocate()
        }

        /// Whether what has come is not a whole.
        var isCut: Bool { first != nil || place == .inside }

        /// The next bytes that come of the input, in room that is used again; nil if more input is needed.
        func next() throws -> UnsafeRawBufferPointer? {
            while isFull || !input.isEmpty {
                switch place {
                case .start: try begin()
                case .inside: if let bytes = try unpack() { return bytes }
                case .behind: try goOn()
                }
            }
            return nil
        }

        private func begin() throws {
            guard form == .deflate else { return try make(CINFLATE_GZIP) }
            guard let one = first else {
                first = input[0]
                drop(1)
                return
            }
            // By the book it is zlib's form; many servers send it bare.
            let two = Int(one) << 8 | Int(input[0])
            try make(one & 15 == 8 && two % 31 == 0 ? CINFLATE_ZLIB : CINFLATE_RAW)
            first = nil
            // Of one byte nothing comes in either form.
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
            isFull = !hasEnded && written == room.count
            if hasEnded {
                place = .behind
            } else if read == 0, written == 0, !input.isEmpty {
                throw Broken(description: "the packed body is broken")
            }
            guard written > 0 else { return nil }
            return UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<written])
        }

        /// Unpacks bytes into the room.
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

        /// Behind a whole: another member of gzip may follow, or zeros that fill up a block.
        private func goOn() throws {
            if form == .gzip, input[0] == 0x1F {
                cinflate_reset(inflater)
                place = .inside
                return
            }
            guard input[0] == 0 else { throw Broken(description: "something follows the packed body") }
            drop(1)
        }
    }
#endif
