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

        private let form: Form
        private var place = Place.start
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

        /// Hands on what comes of some bytes; false if `take` wanted no more.
        func run(_ bytes: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) throws -> Bool) throws
            -> Bool
        {
            var rest = bytes
            while !rest.isEmpty {
                switch place {
                case .start:
                    guard try begin(&rest, take) else { return false }
                case .inside:
                    guard try unpack(&rest, take) else { return false }
                case .behind:
                    try goOn(&rest)
                }
            }
            return true
        }

        private func begin(
            _ rest: inout UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) throws -> Bool
        ) throws -> Bool {
            guard form == .deflate else {
                try make(CINFLATE_GZIP)
                return true
            }
            guard let one = first else {
                first = rest[0]
                rest = UnsafeRawBufferPointer(rebasing: rest[1...])
                return true
            }
            // By the book it is zlib's form; many servers send it bare.
            let two = Int(one) << 8 | Int(rest[0])
            try make(one & 15 == 8 && two % 31 == 0 ? CINFLATE_ZLIB : CINFLATE_RAW)
            first = nil
            return try withUnsafeBytes(of: one) { bytes in
                var bytes = bytes
                return try unpack(&bytes, take)
            }
        }

        private func make(_ form: cinflate_form) throws {
            inflater = cinflate_make(form)
            if inflater == nil { throw Broken(description: "there is no memory to unpack the body") }
            place = .inside
        }

        private func unpack(
            _ rest: inout UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) throws -> Bool
        ) throws -> Bool {
            var (read, written) = (0, 0)
            while true {
                let state = cinflate_run(
                    inflater, rest.baseAddress, rest.count, room.baseAddress, room.count, &read, &written)
                rest = UnsafeRawBufferPointer(rebasing: rest[read...])
                if state == CINFLATE_BROKEN { throw Broken(description: "the packed body is broken") }
                if written > 0 {
                    let unpacked = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<written])
                    guard try take(unpacked) else { return false }
                }
                if state == CINFLATE_ENDED {
                    place = .behind
                    return true
                }
                if written == room.count { continue }
                if rest.isEmpty { return true }
                if read == 0, written == 0 { throw Broken(description: "the packed body is broken") }
            }
        }

        /// Behind a whole: another member of gzip may follow, or zeros that fill up a block.
        private func goOn(_ rest: inout UnsafeRawBufferPointer) throws {
            if form == .gzip, rest[0] == 0x1F {
                cinflate_reset(inflater)
                place = .inside
                return
            }
            guard rest[0] == 0 else { throw Broken(description: "something follows the packed body") }
            rest = UnsafeRawBufferPointer(rebasing: rest[1...])
        }
    }
#endif
