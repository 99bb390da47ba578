/// The 64 rounds of SHA-256 for each block.
enum SHA256Rounds {
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5,
        0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3,
        0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc,
        0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
        0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13,
        0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3,
        0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5,
        0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208,
        0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]

    /// Processes whole blocks of 64 bytes.
    static func take(_ blocks: UnsafeRawBufferPointer, into state: inout [UInt32]) {
        guard var block = blocks.baseAddress else { return }
        let end = block + (blocks.count & ~63)
        constants.withUnsafeBufferPointer { constants in
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
                state.withUnsafeMutableBufferPointer { state in
                    while block < end {
                        fill(
                            words.baseAddress.unsafelyUnwrapped, from: block,
                            constants.baseAddress.unsafelyUnwrapped)
                        mix(state.baseAddress.unsafelyUnwrapped, words.baseAddress.unsafelyUnwrapped)
                        block += 64
                    }
                }
            }
        }
    }

    /// Computes the message schedule of a block, with each round's constant added.
    @inline(__always)
    private static func fill(
        _ words: UnsafeMutablePointer<UInt32>, from block: UnsafeRawPointer,
        _ constants: UnsafePointer<UInt32>
    ) {
        for place in 0..<16 {
            words[place] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: 4 * place, as: UInt32.self))
        }
        for place in 16..<64 {
            let low = words[place - 15]
            let high = words[place - 2]
            let first = turned(low, 7) ^ turned(low, 18) ^ (low >> 3)
            let second = turned(high, 17) ^ turned(high, 19) ^ (high >> 10)
            words[place] = words[place - 16] &+ first &+ words[place - 7] &+ second
        }
        for place in 0..<64 { words[place] = words[place] &+ constants[place] }
    }

    @inline(__always)
    private static func mix(_ state: UnsafeMutablePointer<UInt32>, _ words: UnsafePointer<UInt32>) {
        var a = state[0]
        var b = state[1]
        var c = state[2]
        var d = state[3]
        var e = state[4]
        var f = state[5]
        var g = state[6]
        var h = state[7]
        var place = 0
        while place < 64 {
            // The arguments rotate with each round, instead of the values.
            round(a, b, c, &d, e, f, g, &h, words[place])
            round(h, a, b, &c, d, e, f, &g, words[place + 1])
            round(g, h, a, &b, c, d, e, &f, words[place + 2])
            round(f, g, h, &a, b, c, d, &e, words[place + 3])
            round(e, f, g, &h, a, b, c, &d, words[place + 4])
            round(d, e, f, &g, h, a, b, &c, words[place + 5])
            round(c, d, e, &f, g, h, a, &b, words[place + 6])
            round(b, c, d, &e, f, g, h, &a, words[place + 7])
            place += 8
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
        state[4] &+= e
        state[5] &+= f
        state[6] &+= g
        state[7] &+= h
    }

    @inline(__always)
    private static func round(
        _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32, _ g: UInt32,
        _ h: inout UInt32, _ word: UInt32
    ) {
        let sum = h &+ (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) &+ (g ^ (e & (f ^ g))) &+ word
        d = d &+ sum
        h = sum &+ (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) &+ ((a & b) | (c & (a | b)))
    }

    @inline(__always)
    private static func turned(_ word: UInt32, _ bits: UInt32) -> UInt32 {
        (word &>> bits) | (word &<< (32 &- bits))
    }
}
