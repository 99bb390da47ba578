import SteplineEngine
import SteplineSupport

extension ManagerCore {
    /// Runs one attempt in a simulation, with its injected faults, and notes begin and end in its log.
    func execute(_ job: TaskRecord, _ attempt: UInt32, on stage: any Stage) async -> BodyEnd {
        let name = job.terms.name
        stage.note("managed task ‘\(name)’ begins")
        let end = await end(of: job, stage.faults.fault(ofTask: name, attempt: Int(attempt)))
        stage.note("managed task ‘\(name)’ \(end.inLog)")
        return end
    }

    private func end(of job: TaskRecord, _ fault: BodyFault?) async -> BodyEnd {
        switch fault {
        case nil: return await job.execute()
        case .fails(let error, let afterBody):
            if afterBody {
                let end = await job.execute()
                // A body that failed keeps its own error.
                guard end.hasSucceeded else { return end }
            }
            return job.failed(with: error)
        case .delayed(let delay):
            do { try await clock.sleep(for: delay) } catch { return job.failed(with: error) }
            return await job.execute()
        case .hangs:
            await Stages.hang()
            return job.failed(with: CancellationError())
        }
    }
}

extension BodyEnd {
    /// The text for the log of a simulation.
    fileprivate var inLog: String {
        if hasSucceeded { return "ends" }
        return (result as? any FailableResult)?.error.map { "fails: \(ErrorText.line($0))" } ?? "fails"
    }
}
