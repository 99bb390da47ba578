#if os(Linux)
    import CCurl
    import Foundation

    /// The decompression of a body during the transfer, as its `Content-Encoding` requires.
    ///
    /// The stages form a chain. The first stage reads the received bytes, and each further stage reads the output of
    /// its predecessor. The output of the last stage is reported. Each call of `unpack` is limited to 4 MiB of output
    /// over all stages. The transport's thread uses this object.
    final class BodyUnpacking {
        /// An encoding that can't be decompressed.
        struct Unknown: Error, CustomStringConvertible {
            let name: String
            var description: String { "the encoding \"\(name)\" can't be unpacked" }
        }

        /// The maximum number of nested encodings; more are an attack.
        private static let most = 4
        /// The maximum output of all stages per call.
        private static let mostAtOnce = 4 << 20

        /// Whether zlib is available.
        static var isPossible: Bool { cinflate_is_there() != 0 }

        /// The stages; the encoding applied last comes first.
        private let stages: [Inflater]
        /// A copy of unprocessed bytes.
        private var kept: UnsafeMutableRawBufferPointer?

        /// Creates the stages; nil for an uncompressed body.
        ///
        /// Throws ``Unknown`` for an unsupported encoding.
        init?(_ header: String) throws {
            let names = header.split(separator: ",").map {
                $0.trimmingCharacters(in: .whitespaces).lowercased()
            }
            let packed = names.filter { !$0.isEmpty && $0 != "identity" }
            // `identity` alone leaves the body unchanged.
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

        /// Whether the body ended before the end of its compressed data.
        var isCut: Bool { stages.contains { $0.isCut } }

        /// Sets the bytes to decompress.
        ///
        /// The memory must stay valid until all bytes are processed, or until `keepRest`.
        func feed(_ bytes: UnsafeRawBufferPointer) { stages[0].input = bytes }

        /// Decompresses the bytes from `feed` and reports the output; returns true if more output may be left.
        ///
        /// Output is left if `take` returned false, or if the limit was reached. A few bytes that were compressed
        /// several times can expand to gigabytes, and all transfers share one thread.
        func unpack(_ take: (UnsafeRawBufferPointer) -> Bool) throws -> Bool {
            var work = 0
            // Process the last stage first: its remaining input precedes any further output of earlier stages.
            var stage = stages.count - 1
            while work < Self.mostAtOnce {
                if let bytes = try stages[stage].next() {
                    // The output buffer of a stage is reused, so the next stage must consume it before this one
                    // continues.
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

        /// Copies the unprocessed bytes, so the caller's memory may be freed.
        func keepRest() {
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: stages[0].input.count, alignment: 1)
            copy.copyMemory(from: stages[0].input)
            // A previous rest was consumed, or is the source of this copy.
            kept?.deallocate()
            kept = copy
            stages[0].input = UnsafeRawBufferPointer(copy)
        }
    }
#endif
