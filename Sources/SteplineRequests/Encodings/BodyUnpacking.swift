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

        /// Whether anything can be unpacked.
        static var isPossible: Bool { cinflate_is_there() != 0 }

        /// The one that was packed last first.
        private let stages: [Inflater]

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

        /// Whether the body has ended before its end.
        var isCut: Bool { stages.contains { $0.isCut } }

        /// Hands on what comes of some bytes; stops when `take` says that nothing more is wanted.
        func unpack(_ bytes: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> Bool) throws {
            _ = try unpack(bytes, from: 0, take)
        }

        private func unpack(
            _ bytes: UnsafeRawBufferPointer, from stage: Int, _ take: (UnsafeRawBufferPointer) -> Bool
        ) throws -> Bool {
            guard stage < stages.count else { return take(bytes) }
            return try stages[stage].run(bytes) { try unpack($0, from: stage + 1, take) }
        }
    }
#endif
