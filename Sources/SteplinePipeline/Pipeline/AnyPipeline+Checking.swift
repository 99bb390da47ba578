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
        visit(steps, from: 0, of: steps.count, &scan, &issues)
        guard !steps.isEmpty else { return issues }
        scan.end(
            with: wantedOutput,
            at: { writer in
                let index = writer ?? steps.count - 1
                return StepPosition(of: steps[index], index: index, count: steps.count)
            }, &issues)
        return issues
    }

    /// Takes in the steps of a line from an index on, and adds what is wrong with them.
    private func visit(
        _ steps: some StepCollection, from first: Int, of count: Int, _ scan: inout ChainScan,
        _ issues: inout [CheckIssue]
    ) {
        for (offset, step) in steps.enumerated() {
            let index = first + offset
            scan.visit(step, index, at: StepPosition(of: step, index: index, count: count), &issues)
            if step.hasDependencies {
                issues += loops(of: step, at: index, of: count, among: steps.dropFirst(offset))
            }
        }
    }

    /// A step can't wait for one behind it, which waits for it in turn; `rest` begins with itself.
    private func loops(
        of step: any Step, at index: Int, of count: Int, among rest: some StepCollection
    ) -> [CheckIssue] {
        let others = Set(step.dependencies.map(ObjectIdentifier.init))
        return rest.enumerated().filter { others.contains(ObjectIdentifier($0.element)) }.map { later in
            let behind = StepPosition(of: later.element, index: index + later.offset, count: count)
            return CheckIssue(
                .dependsOnLaterStep, at: StepPosition(of: step, index: index, count: count),
                "it depends on \(behind), which comes after it"
            )
        }
    }

    /// Checks steps that are to join a running pipeline; what is wrong with the others was told at the start.
    ///
    /// At the end of the line the check goes on from a scan that has come there, if there is one, and asks the other steps
    /// nothing. It returns the scan that has come behind the new steps.
    func check(
        _ newSteps: some StepCollection, insertedIn line: [any Step], at index: Int, from known: LineScan?
    ) throws -> LineScan? {
        let scan = index == line.count ? known ?? self.scan(of: line) : nil
        let found: [CheckIssue]
        if let scan {
            found = issues(of: newSteps, behind: line, scan)
        } else {
            var steps = line
            steps.insert(contentsOf: newSteps, at: index)
            found = issues(in: steps)
        }
        let places = index..<index + newSteps.count
        let errors = found.filter { issue in
            issue.severity == .error && (issue.path.first.map { places.contains($0 - 1) } ?? true)
        }
        if !errors.isEmpty { throw PipelineError.checkFailed(errors, pipeline: name) }
        return scan
    }

    private func scan(of line: [any Step]) -> LineScan {
        let scan = LineScan(ChainScan(content: engine.read { $0.firstBag }))
        var issues: [CheckIssue] = []
        visit(line, from: 0, of: line.count, &scan.chain, &issues)
        return scan
    }

    private func issues(
        of newSteps: some StepCollection, behind line: [any Step], _ scan: LineScan
    ) -> [CheckIssue] {
        let (new, count) = (Array(newSteps), line.count + newSteps.count)
        var issues: [CheckIssue] = []
        visit(new, from: line.count, of: count, &scan.chain, &issues)
        scan.chain.end(
            with: wantedOutput,
            at: { writer in
                let index = writer ?? count - 1
                let step = index < line.count ? line[index] : new[index - line.count]
                return StepPosition(of: step, index: index, count: count)
            }, &issues)
        return issues
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
