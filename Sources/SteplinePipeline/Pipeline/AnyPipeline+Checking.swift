import Foundation
import SteplineEngine
public import SteplineSupport

extension AnyPipeline {
    /// Finds all mistakes in keys, types and settings that are visible before the run.
    ///
    /// The check runs no step and accesses no file or network. Call it at any time. `start()` and `run()` perform the
    /// same check and fail with its errors. Warnings never prevent a start.
    ///
    /// - Returns: The issues, in the order of the steps.
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
        // An empty line has no last step that an issue of the final content could name.
        guard !steps.isEmpty else { return issues }
        scan.end(
            with: expectedOutput,
            at: { writer in
                let index = writer ?? steps.count - 1
                return StepPosition(of: steps[index], index: index, count: steps.count)
            }, &issues)
        return issues
    }

    /// Scans steps from an index on and adds their issues.
    private func visit(
        _ steps: some StepCollection, from first: Int, of count: Int, _ scan: inout ChainScan,
        _ issues: inout [CheckIssue]
    ) {
        for (offset, step) in steps.enumerated() {
            let index = first + offset
            scan.visit(step, index, at: StepPosition(of: step, index: index, count: count), &issues)
            // Reading the dependencies of a step calls user code: skip the steps that have none.
            if step.hasDependencies {
                issues += loops(of: step, at: index, of: count, among: steps.dropFirst(offset))
            }
        }
    }

    /// Returns issues for dependencies of a step on itself or a later step; `rest` begins with the step itself.
    private func loops(
        of step: any Step, at index: Int, of count: Int, among rest: some StepCollection
    ) -> [CheckIssue] {
        let others = Set(step.dependencies.map(ObjectIdentifier.init))
        return rest.enumerated().filter { others.contains(ObjectIdentifier($0.element)) }.map { later in
            let after = StepPosition(of: later.element, index: index + later.offset, count: count)
            return CheckIssue(
                .dependsOnLaterStep, at: StepPosition(of: step, index: index, count: count),
                "it depends on \(after), which comes after it"
            )
        }
    }

    /// Checks steps that join a running pipeline; issues of other steps were reported at the start.
    ///
    /// At the end of the line the check continues from a known scan and asks only the new steps.
    ///
    /// - Parameters:
    ///   - newSteps: The steps to insert.
    ///   - line: The current steps.
    ///   - index: The index of the insertion.
    ///   - known: A scan that has reached the end of `line`, if there is one.
    /// - Returns: The scan after the new steps; nil if they are inserted before the end.
    /// - Throws: A ``PipelineError`` `.checkFailed` with the errors of the new steps.
    func check(
        _ newSteps: some StepCollection, insertedIn line: [any Step], at index: Int, from known: LineScan?
    ) throws -> LineScan? {
        // The first insertion at the end scans the whole line; later ones continue from the scan that was kept.
        let scan = index == line.count ? known ?? self.scan(of: line) : nil
        let found: [CheckIssue]
        if let scan {
            found = issues(of: newSteps, after: line, scan)
        } else {
            // Later steps may read or overwrite the new entries, so the whole line is scanned.
            var steps = line
            steps.insert(contentsOf: newSteps, at: index)
            found = issues(in: steps)
        }
        let places = index..<index + newSteps.count
        // An issue without a path concerns the whole pipeline, so the insertion causes it.
        let errors = found.filter { issue in
            // The path counts steps from 1.
            issue.severity == .error && (issue.path.first.map { places.contains($0 - 1) } ?? true)
        }
        if !errors.isEmpty { throw PipelineError.checkFailed(errors, pipeline: name) }
        return scan
    }

    private func scan(of line: [any Step]) -> LineScan {
        let scan = LineScan(ChainScan(content: engine.read { $0.firstBag }))
        // Issues of the present steps were reported at the start: only the scan's position is needed.
        var issues: [CheckIssue] = []
        visit(line, from: 0, of: line.count, &scan.chain, &issues)
        return scan
    }

    private func issues(
        of newSteps: some StepCollection, after line: [any Step], _ scan: LineScan
    ) -> [CheckIssue] {
        let (new, count) = (Array(newSteps), line.count + newSteps.count)
        var issues: [CheckIssue] = []
        visit(new, from: line.count, of: count, &scan.chain, &issues)
        scan.chain.end(
            with: expectedOutput,
            at: { writer in
                let index = writer ?? count - 1
                let step = index < line.count ? line[index] : new[index - line.count]
                return StepPosition(of: step, index: index, count: count)
            }, &issues)
        return issues
    }

    /// Returns the errors that prevent a start; with `expected`, also a mismatch of the last step's output.
    func errors(in steps: [any Step], expected: AnyContentKey?) -> [CheckIssue] {
        var errors = issues(in: steps).filter { $0.severity == .error }
        if let expected, let last = steps.last, let issue = mismatch(of: last, in: steps, expected: expected)
        {
            errors.append(issue)
        }
        return errors
    }

    private func mismatch(of last: any Step, in steps: [any Step], expected: AnyContentKey) -> CheckIssue? {
        let made = last.outputs.first
        // New content can hold any output: ``run(returning:)`` decides after the run.
        if let made, made.slot == .wholeBag || TypeFit(made, readAs: expected) != .cannotFit { return nil }
        // A step without an output leaves nil, which an Optional and `Void` allow.
        if made == nil, expected.isOptional || expected.valueType == Void.self { return nil }
        let found = made.map { "\($0.valueType)" } ?? "nothing"
        return CheckIssue(
            .typeMismatch,
            at: StepPosition(of: last, index: steps.count - 1, count: steps.count),
            key: expected, found: made, "it makes \(found), but the caller wants \(expected.valueType)"
        )
    }
}
