import Stepline

/// Runs so many pipelines of trivial steps, `batch` of them at once: built, started, awaited.
func runPipelines(_ count: Int, steps: Int, batch: Int = 200) {
    var first = Content()
    first.bodyObject = 0
    var left = count
    while left > 0 {
        let pipelines = (0..<min(batch, left)).map { _ in
            let pipeline = Pipeline(content: first)
            for _ in 0..<steps { orFail { try pipeline.addStep(AddOne()) } }
            return pipeline
        }
        let latch = Latch()
        for pipeline in pipelines {
            latch.enter()
            pipeline.onEnd { _ in latch.leave() }
            orFail { try pipeline.start() }
        }
        latch.wait()
        left -= batch
    }
}
