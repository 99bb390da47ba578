import Foundation
import SteplineRuns
import SteplineRunsTesting
import SteplineSupport
import Testing

/// The sums by which results are known, held against the standards' own examples.
@Suite(.timeLimit(.minutes(5))) struct SHA256Tests {
    private func hash(_ data: Data) -> String {
        data.withUnsafeBytes { SHA256.hash($0) }.map { String(format: "%02x", $0) }.joined()
    }

    private static let examples: [(text: String, sum: String)] = [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrs"
                + "mnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
        (
            String(repeating: "a", count: 1_000_000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
    ]

    @Test func `DR-21: the standard's examples have the right digests`() {
        for (text, sum) in Self.examples {
            #expect(hash(Data(text.utf8)) == sum, "\(text.utf8.count) bytes")
        }
    }

    @Test func `DR-21: the hash doesn't depend on the pieces of the bytes`() {
        let data = bytes(1_000)
        for size in [1, 3, 55, 56, 63, 64, 65, 127, 128, 999] {
            var hash = SHA256()
            for start in stride(from: 0, to: data.count, by: size) {
                data[start..<min(data.count, start + size)].withUnsafeBytes { hash.update($0) }
            }
            #expect(hash.finish() == data.withUnsafeBytes { SHA256.hash($0) }, "pieces of \(size)")
        }
    }

    @Test func `the sum of small results is that of zip`() {
        let sum = Data("123456789".utf8).withUnsafeBytes { CRC32.sum($0) }
        #expect(sum == 0xCBF4_3926 && Data().withUnsafeBytes { CRC32.sum($0) } == 0)
        let long = Data("The quick brown fox jumps over the lazy dog".utf8)
        #expect(long.withUnsafeBytes { CRC32.sum($0) } == 0x414F_A339)
    }
}
