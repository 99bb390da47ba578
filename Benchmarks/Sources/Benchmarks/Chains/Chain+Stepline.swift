import Stepline

/// Runs so many pipelines of trivial steps, `batch` of them at once.
func runPipelines(_ count: Int, steps: Int, batch: Int = 1000) {
    var first = Content()
    first.bodyObject = 0
    var left = count
    while left > 0 {
        let latch = Latch()
        for _ in 0..<min(batch, left) {
            let pipeline = Pipeline(content: first)
            do {
                for _ in 0..<steps { try pipeline.addStep(AddOne()) }
                latch.enter()
                pipeline.onEnd { _, _ in latch.leave() }
                try pipeline.start()
            } catch {
                fatalError("\(error)")
            }
        }
        latch.wait()
        left -= batch
    }
}
