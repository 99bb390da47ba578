import Foundation

/// Makes text from a fuzzer's bytes: each byte is a choice, so that the fuzzer finds its way through a grammar.
struct Choices {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0
    private var depth = 0
    private(set) var text: [UInt8] = []

    /// More than this isn't made of one input.
    private static let limit = 200_000

    init(_ start: UnsafePointer<UInt8>?, _ count: Int) {
        bytes = UnsafeBufferPointer(start: start, count: count)
    }

    /// Whether there is nothing left to choose by, or enough has been made.
    var isOver: Bool { place >= bytes.count || text.count > Self.limit }

    mutating func choice(_ bound: Int) -> Int {
        guard place < bytes.count else { return 0 }
        place += 1
        return Int(bytes[place - 1]) % bound
    }

    mutating func put(_ text: String) { self.text.append(contentsOf: text.utf8) }

    mutating func put(byte: UInt8) { text.append(byte) }

    mutating func put(oneOf texts: [String]) { put(texts[choice(texts.count)]) }

    /// Appends the output of `piece`, most often once, sometimes a few times or very often.
    mutating func several(_ piece: (inout Choices) -> Void) {
        let kind = choice(16)
        let start = text.count
        for _ in 0...(kind < 10 ? 0 : kind < 15 ? choice(8) : 0) where !isOver { piece(&self) }
        guard kind == 15 else { return }
        let made = Array(text[start...])
        for _ in 0..<(1 << choice(14)) where text.count < Self.limit { text.append(contentsOf: made) }
    }

    /// Appends the output of `piece`, unless it nests too deep.
    mutating func nested(_ piece: (inout Choices) -> Void) {
        guard depth < 12, !isOver else { return }
        depth += 1
        piece(&self)
        depth -= 1
    }

    /// Appends the output of `piece`, with some characters written as references.
    mutating func escaped(_ replacements: [UInt8: String], _ piece: (inout Choices) -> Void) {
        let start = text.count
        piece(&self)
        let made = Array(text[start...])
        text.removeSubrange(start...)
        for byte in made {
            if let replacement = replacements[byte] { put(replacement) } else { text.append(byte) }
            if text.count > Self.limit { return }
        }
    }
}

/// Runs a body, and traps if it takes more time of the processor than any input of this size may.
func within(seconds: Double, _ what: String, _ body: () -> Void) {
    func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let start = now()
    body()
    let taken = now() - start
    if taken > seconds { fatalError("\(what) takes \(taken) s") }
}
