import Foundation
import SteplineEngine
public import SteplineSupport

extension AnyPipeline {
    /// Finds every mistake in keys, types and settings that can be seen before the run, all at once.
    ///
    /// Runs nothing, touches no file or network, and may be called at any time. `start()` and `run()` make
    /// this check by themselves and fail with its errors; warnings stop nothing.
    public func check() -> [CheckIssue] {
        issues(in: engine.read { $0.line.steps })
    }

    private func issues(in steps: [any Step]) -> [CheckIssue] {
        var (issues, bag) = engine.read { ($0.line.refused, $0.firstBag) }
        if steps.isEmpty, issues.isEmpty {
            issues.append(CheckIssue(.noSteps, at: nil, "there are no steps"))
        }
        var scan = ChainScan(content: bag)
        for (index, step) in steps.enumerated() {
            scan.visit(step, index, at: StepPosition(of: step, index: index, count: steps.count), &issues)
            if step.hasDependencies { issues += loops(of: step, at: index, in: steps) }
        }
        guard !steps.isEmpty else { return issues }
        scan.end(
            with: wantedOutput,
            at: { writer in
                let index = writer ?? steps.count - 1
                return StepPosition(of: steps[index], index: index, count: steps.count)
            }, &issues)
        return issues
    }

    /// A step can't wait for one behind it, which waits for it in turn.
    private func loops(of step: any Step, at index: Int, in steps: [any Step]) -> [CheckIssue] {
        let others = Set(step.dependencies.map(ObjectIdentifier.init))
        return steps.indices[index...].filter { others.contains(ObjectIdentifier(steps[$0])) }.map { later in
            CheckIssue(
                .dependsOnLaterStep, at: StepPosition(of: step, index: index, count: steps.count),
                "it depends on \(StepPosition(of: steps[later], index: later, count: steps.count)), which comes "
                    + "after it"
            )
        }
    }

    /// Checks steps that are to join a running pipeline; what is wrong with the others was told at the start.
    func check(_ newSteps: some StepCollection, insertedIn line: [any Step], at index: Int) throws {
        var steps = line
        steps.insert(contentsOf: newSteps, at: index)
        let places = index..<index + newSteps.count
        let issues = issues(in: steps).filter { issue in
            issue.severity == .error && (issue.path.first.map { places.contains($0 - 1) } ?? true)
        }
        if !issues.isEmpty { throw PipelineError.checkFailed(issues, pipeline: name) }
    }

    /// The errors that stop a start; with `wanted`, also that the last step can't make what is wanted.
    func errors(in steps: [any Step], wanted: AnyContentKey?) -> [CheckIssue] {
        var errors = issues(in: steps).filter { $0.severity == .error }
        if let wanted, let last = steps.last, let issue = mismatch(of: last, in: steps, wanted: wanted) {
            errors.append(issue)
        }
        return errors
    }

    private func mismatch(of last: any Step, in steps: [any Step], wanted: AnyContentKey) -> CheckIssue? {
        let made = last.outputs.first
        if let made, made.slot == .wholeBag || TypeFit(made, readAs: wanted) != .cannotFit { return nil }
        if made == nil, wanted.isOptional || wanted.slot == .nothing { return nil }
        let found = made.map { "\($0.valueType)" } ?? "nothing"
        return CheckIssue(
            .typeMismatch,
            at: StepPosition(of: last, index: steps.count - 1, count: steps.count),
            key: wanted, found: made, "it makes \(found), but the caller wants \(wanted.valueType)"
        )
    }
}
