public import SteplinePipeline
public import SteplineWorkflow

extension Workflow {
    /// Adds a task that runs a line of steps; its result is the last step's output.
    ///
    ///     let city = try workflow.addPipeline("city") {
    ///         URLLoadStep(url)
    ///         JSONDecodeStep<City>()
    ///     }
    ///
    /// Steps run only once, so the closure is called for each attempt and each check, and once during this call.
    ///
    /// - Parameters:
    ///   - name: The name of the task and its pipeline.
    ///   - options: The options of the task.
    ///   - pipelineOptions: The options of the pipeline.
    ///   - steps: Returns the steps.
    /// - Returns: A reference to the task, a `PipelineTask`.
    /// - Throws: The errors of the closure and of `add`.
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
    /// The compiler checks that the first step takes the other task's result.
    ///
    /// - Parameters:
    ///   - name: The name of the task and its pipeline.
    ///   - prerequisite: The task with the first step's input.
    ///   - options: The options of the task.
    ///   - pipelineOptions: The options of the pipeline.
    ///   - steps: Returns the steps.
    /// - Returns: A reference to the task, a `PipelineTask`.
    /// - Throws: The errors of the closure and of `add`.
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
        // A failing closure is reported here, instead of at the first attempt.
        _ = try steps()
        let task = PipelineTask(name: name, options: options) {
            try Pipeline(name, options: pipelineOptions, steps)
        }
        return try TaskRef(add(task, prerequisites: prerequisites))
    }
}
