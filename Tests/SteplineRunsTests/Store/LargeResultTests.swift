import Foundation
import SteplineRuns
import SteplineRunsTesting
import SteplineTesting
import TestSupport
import Testing

/// Results of a size at which numbers of 32 bits end.
///
/// They take minutes and gigabytes.
@Suite(
    .serialized, .timeLimit(.minutes(30)), .soakOnly)
struct LargeResultTests {
    /// Without optimisation, the sums of two gigabytes take half an hour.
    private static var sizes: [Int] {
        #if DEBUG
            [300 << 20]
        #else
            [300 << 20, (2 << 30) + 4_097]
        #endif
    }

    @Test(arguments: sizes)
    func `DR-21: a very large result comes back as it was`(size: Int) throws {
        // Twice the result, with room for the rest of the tests.
        guard ProcessInfo.processInfo.physicalMemory > UInt64(size) * 4 else { return }
        let folder = try TestFolder()
        let path = folder.path("test.runs")
        var result = Data(count: size)
        result[size - 1] = 1
        do {
            let run = try SQLiteRunStore(path: path).openTest()
            #expect(try run.finish("large", result))
            run.close()
        }
        let store = try SQLiteRunStore(path: path)
        #expect(try store.step("large")?.resultSize == size)
        let isSame = try store.result(of: "large", in: .test) == result
        #expect(isSame)
        #expect(try store.forget(.test))
        #expect(try FileManager.default.contentsOfDirectory(atPath: path + "-blobs").isEmpty)
    }
}
