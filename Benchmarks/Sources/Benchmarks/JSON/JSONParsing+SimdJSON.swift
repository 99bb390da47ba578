#if SIMDJSONRival
    import CSimdJSONPeer
    import Foundation

    extension JSONParsing {
        /// Our documents against simdjson's own.
        static func duelWithSimdJSON() -> [Finding] {
            [1_000_000, 30_000_000].map { size in
                let data = Orders.data(bytes: size)
                let repeats = max(1, 5_000_000 / data.count)
                let duel = Duel(
                    rounds: 9, units: [data.count * repeats, data.count * repeats],
                    [
                        { for _ in 0..<repeats { parseBySimdJSON(data) } },
                        { for _ in 0..<repeats { parseByStepline(data) } },
                    ])
                return Finding(
                    "parse \(size / 1_000_000) MB, of simdjson's time", 1 / duel.ratios[1], "times",
                    rival: "\(Int(1_000 / duel.medians[1])) MB/s; simdjson, MB/s",
                    rivalValue: 1_000 / duel.medians[0])
            }
        }

        private static func parseBySimdJSON(_ data: Data) {
            let count = data.withUnsafeBytes { bytes in
                peer_simdjson_count(bytes.assumingMemoryBound(to: CChar.self).baseAddress, bytes.count)
            }
            if count < 1 { fatalError("there are orders") }
        }
    }
#endif
