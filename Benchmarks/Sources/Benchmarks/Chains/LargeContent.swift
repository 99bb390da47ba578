import Foundation
import Stepline

enum LargeContent: Benchmark {
    static let name = "large-content"
    static let summary = "64 MB of Data handed along ten steps"

    private static let size = 64 << 20

    static func run() throws -> [Finding] {
        let numbers = try Child.numbers("large")
        guard let peak = numbers.first else { throw ChildFailed(task: name) }
        return [
            Finding("peak memory over the data's own 64 MB", peak / Double(1 << 20), "MB"),
            Finding("peak memory over the data's own, of that", peak / Double(size), "times", bound: 1 / 16),
        ]
    }

    /// In a fresh process: by how much the peak rises above the process that holds the data once.
    static func measure() throws {
        runPipelines(10, steps: 10)
        let data = Data(repeating: 7, count: size)
        let before = processStatus("VmHWM")
        let latch = Latch()
        var first = Content()
        first.bodyData = data
        let pipeline = Pipeline(content: first)
        for _ in 0..<10 { try pipeline.addStep(BlockStep { (data: Data) in data }) }
        latch.enter()
        pipeline.onEnd { _ in latch.leave() }
        try pipeline.start()
        latch.wait()
        guard pipeline.content?.bodyData?.count == size else { throw ChildFailed(task: name) }
        print(processStatus("VmHWM") - before)
    }
}
