/// The digests of a task's behaviour, by part.
///
/// A version of a step has 64 bits. It has a digest of the whole, which decides, and some bits of each part, which tell
/// what has changed. Two different parts may have equal bits: then the change isn't named.
struct FlowTaskMeaning {
    /// The task in the file: its steps, condition, list and key.
    let steps: UInt64
    /// The values of parameters that the task names.
    let parameters: UInt64
    /// The file that the task runs, with the files that this file runs.
    let files: UInt64
    /// The settings of the file that the task uses.
    let settings: UInt64

    private static let parts: [(bits: Int, name: String)] = [
        (5, "steps"), (4, "parameters"), (4, "included file"), (4, "settings of the file"),
    ]
    private static let digestBits = 30

    /// A digest of the whole.
    var value: UInt64 {
        var meaning = FlowMeaning()
        for part in [steps, parameters, files, settings] { meaning.add(part) }
        return meaning.value
    }

    /// A number of 47 bits, never 0: bits of each part above a digest of the whole.
    var number: Int {
        var bits: UInt64 = 0
        for (part, digest) in zip(Self.parts, [steps, parameters, files, settings]) {
            // The low bits of an FNV hash depend on the low bits of its bytes only: fold the high ones in.
            bits = bits << UInt64(part.bits) | (digest ^ digest >> 32) & (1 << UInt64(part.bits) - 1)
        }
        let digest = max(value & (1 << UInt64(Self.digestBits) - 1), 1)
        return Int(bits << UInt64(Self.digestBits) | digest)
    }

    /// Returns the names of the parts that differ between two numbers, as far as known.
    static func changes(from old: Int, to new: Int) -> [String] {
        var rest = (old ^ new) >> digestBits
        var changed: [String] = []
        for part in parts.reversed() {
            if rest & (1 << part.bits - 1) != 0 { changed.insert(part.name, at: 0) }
            rest >>= part.bits
        }
        return changed
    }
}
