public import SteplinePipeline
public import SteplineWorkflow

extension Workflow {
    /// Adds a task that runs a line of steps, and has what the last one makes as its result.
    ///
    ///     let city = try workflow.addPipeline("city") {
    ///         URLLoadStep(url)
    ///         JSONDecodeStep<City>()
    ///     }
    ///
    /// The closure is called for each attempt, as steps run only once, for each check, and one more time here. The task is
    /// a `PipelineTask`; what the closure throws here, and what adding refuses, is thrown.
    @discardableResult
    public func addPipeline<Line: StepInLine & Sendable, Output: Sendable>(
        _ name: String, options: TaskOptions = .init(), pipelineOptions: PipelineOptions = .init(),
        @StepChainBuilderGiven<Void> _ steps: @escaping @Sendable () throws -> Line
    ) throws -> TaskRef<Output> where Line.Input == Void, Line.Output == Output {
        try addPipeline(name, [], options, pipelineOptions, steps)
    }

    /// Adds a task that runs a line of steps on the result of another task.
    ///
    ///     let page = try workflow.addPipeline("forecast", after: city) {
    ///         BlockStep { (city: City) in URLRequest(url: city.forecastURL) }
    ///         URLRequestStep()
    ///     }
    ///
    /// That the first step takes what the other task makes is checked by the compiler. All else is as without a
    /// prerequisite.
    @discardableResult
    public func addPipeline<Input: Sendable, Line: StepInLine & Sendable, Output: Sendable>(
        _ name: String, after prerequisite: TaskRef<Input>, options: TaskOptions = .init(),
        pipelineOptions: PipelineOptions = .init(),
        @StepChainBuilderGiven<Input> _ steps: @escaping @Sendable () throws -> Line
    ) throws -> TaskRef<Output> where Line.Input == Input, Line.Output == Output {
        try addPipeline(name, [prerequisite.task], options, pipelineOptions, steps)
    }

    private func addPipeline<Line: StepInLine & Sendable>(
        _ name: String, _ prerequisites: [WorkflowTask], _ options: TaskOptions,
        _ pipelineOptions: PipelineOptions, _ steps: @escaping @Sendable () throws -> Line
    ) throws -> TaskRef<Line.Output> {
        _ = try steps()
        let task = PipelineTask(name: name, options: options) {
            try Pipeline(name, options: pipelineOptions, steps)
        }
        return try TaskRef(add(task, prerequisites: prerequisites))
    }
}
