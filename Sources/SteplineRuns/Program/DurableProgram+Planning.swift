import SteplineWorkflow

extension DurableProgram {
    /// Writes what `run` would do with each step; creates no store.
    func plan(_ words: ProgramWords) async throws -> Int32 {
        guard let key = words["key"] else { throw RunsError("--key is missing", isUsage: true) }
        let id = RunID(Program.name, key: key)
        let store: any RunStore = try place(of: words).openIfThere() ?? .memory()
        let input = try input(given: words["input"], kept: store.run(id)?.input, of: id)
        let plan = try await workflow(input.value).plan(
            in: store, key: key, retryingFailures: words.isOn("retrying-failures"), input: input.data)
        output.write(try plan.answer(isJSON: words.isOn("json")).output)
        return 0
    }
}
