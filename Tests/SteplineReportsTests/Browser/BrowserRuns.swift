import SteplineSupport
import SteplineTesting
import SteplineWorkflow

/// Runs whose reports are shown to a browser.
enum BrowserRuns {
    /// Three tasks that went well.
    static func finished() async throws -> Workflow {
        let bench = Bench("small")
        let load = try bench.add("load")
        let parse = try bench.add("parse", after: [load])
        let save = try bench.add("save", after: [parse])
        try bench.workflow.start()
        await bench.finish(load, after: 2)
        await bench.finish(parse, after: 1)
        await bench.finish(save, after: 3)
        _ = try await bench.workflow.run()
        return bench.workflow
    }

    /// Names as nobody should choose them, each of which must stay text.
    static let names = [
        "<b>&\"quoted\"'</b>", "</style><script>document.title = 'taken'</script>", "Größe 名前 😀 naïve",
        "https-canary <img src=x onerror=alert(1)>", String(repeating: "unbroken", count: 40),
        "ends as a long one does: " + String(repeating: "ÄÖÜ ", count: 30) + "end",
    ]

    /// A failure with causes, one after attempts, a task that went well at the second, cancelled and blocked ones.
    static func rough() async throws -> Workflow {
        let bench = Bench("rough <run> & \"more\"")
        let workflow = bench.workflow
        let again = TaskOptions(retry: .constant(attempts: 2, delay: .seconds(1), when: { _ in true }))
        let good = try bench.add(names[0])
        let tried = try bench.add(names[1], after: [good], options: again)
        let off = try bench.add(names[3], after: [good])
        let inner = Workflow("inside", options: WorkflowOptions(keptAttempts: 8, clock: bench.clock))
        try inner.add(BlockTask(name: "inner 'task'") { $0.finish() })
        let outer = try workflow.add(
            SubworkflowTask(name: "outer task", subworkflow: inner), prerequisites: [tried])
        let bad = try bench.add(names[2], after: [outer], options: again)
        try bench.add(names[4], after: [bad], keyed: ["a key <&> of some length": good])
        try bench.add(names[5], after: [bad])
        try workflow.group("a group & its <long> name, of which the drawing has no more than fits")
            .add(WorkflowTask(name: "left alone"), prerequisites: [bad])
        try workflow.start()
        await bench.finish(good, after: 2)
        await bench.awaitBegin(of: off)
        await bench.awaitBegin(of: tried)
        bench.clock.advance(by: .milliseconds(1500))
        tried.fail(with: Broken(text: "the first attempt <always> fails"))
        off.cancel("not today & not <ever>")
        await bench.clock.waitForScheduled(after: .seconds(1))
        bench.clock.advance(by: .seconds(1))
        await bench.awaitBegin(of: tried, attempt: 2)
        bench.clock.advance(by: .seconds(2))
        tried.finish()
        let long = "no access to /srv/" + String(repeating: "folder/", count: 40)
        for attempt in 1...2 {
            await bench.awaitBegin(of: bad, attempt: attempt)
            bench.clock.advance(by: .seconds(1))
            bad.fail(with: Wrapped(text: long, underlying: Broken(text: "<the> door & \"the\" window")))
            if attempt == 1 {
                await bench.clock.waitForScheduled(after: .seconds(1))
                bench.clock.advance(by: .seconds(1))
            }
        }
        _ = try? await workflow.run()
        return workflow
    }
}
