#if os(Linux)
    import CCurl
    import Foundation

    /// Unpacks a body on its way, as its `Content-Encoding` says.
    final class BodyUnpacking {
        /// An encoding that can't be unpacked.
        struct Unknown: Error, CustomStringConvertible {
            let name: String
            var description: String { "the encoding \"\(name)\" can't be unpacked" }
        }

        /// More encodings, one on the other, are an attack.
        private static let most = 4
        /// So much comes out of all stages in one go.
        private static let mostAtOnce = 4 << 20

        /// Whether anything can be unpacked.
        static var isPossible: Bool { cinflate_is_there() != 0 }

        /// The one that was packed last first.
        private let stages: [Inflater]
        /// A rest that was kept.
        private var kept: UnsafeMutableRawBufferPointer?

        /// Nil for a body that isn't packed; throws ``Unknown`` for what can't be unpacked.
        init?(_ header: String) throws {
            let names = header.split(separator: ",").map {
                $0.trimmingCharacters(in: .whitespaces).lowercased()
            }
            let packed = names.filter { !$0.isEmpty && $0 != "identity" }
            if packed.isEmpty { return nil }
            guard packed.count <= Self.most else { throw Unknown(name: "\(packed.count) on each other") }
            stages = try packed.reversed().map { name in
                let form: Inflater.Form? =
                    switch name {
                    case "gzip", "x-gzip": .gzip
                    case "deflate": .deflate
                    default: nil
                    }
                guard let form, Self.isPossible else { throw Unknown(name: String(name.prefix(40))) }
                return Inflater(form)
            }
        }

        deinit { kept?.deallocate() }

        /// Whether the body has ended before its end.
        var isCut: Bool { stages.contains { $0.isCut } }

        /// Takes bytes that are to be unpacked.
        ///
        /// They have to stay where they are until nothing is left of them, or the rest is kept.
        func feed(_ bytes: UnsafeRawBufferPointer) { stages[0].input = bytes }

        /// Hands on what comes of the bytes that were fed; true if something may be left.
        ///
        /// That is so if `take` has said that it wants no more for now, or if all of it would take too long. Few
        /// bytes that were packed several times may be gigabytes, and all transfers share one thread.
        func unpack(_ take: (UnsafeRawBufferPointer) -> Bool) throws -> Bool {
            var work = 0
            // What is left in a stage goes before what the stage ahead of it may give.
            var stage = stages.count - 1
            while work < Self.mostAtOnce {
                if let bytes = try stages[stage].next() {
                    work += bytes.count
                    if stage == stages.count - 1 {
                        guard take(bytes) else { return true }
                    } else {
                        stage += 1
                        stages[stage].input = bytes
                    }
                } else if stage > 0 {
                    stage -= 1
                } else {
                    return false
                }
            }
            return true
        }

        /// Keeps what is left of the bytes that were fed, which may go then.
        func keepRest() {
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: stages[0].input.count, alignment: 1)
            copy.copyMemory(from: stages[0].input)
            kept?.deallocate()
            kept = copy
            stages[0].input = UnsafeRawBufferPointer(copy)
        }
    }
#endif
