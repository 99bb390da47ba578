import SteplineEngine
import SteplineSupport

/// Events, progress and reports of a workflow with the elements of its maps over results.
///
/// These elements are tasks of a workflow inside the map, which has a lock of its own. The methods hold one lock at a
/// time, so what they return isn't from one instant.
extension WorkflowCore {
    // MARK: Events

    /// Makes events for a reader from now on.
    func add(_ stream: EventStream<WorkflowEvent>) {
        readClockAlways()
        let maps = look { machine in
            machine.eventLog.add(stream)
            return machine.maps
        }
        // A map that is added after this look finds the stream when its attempt begins.
        for map in maps { map.core.recordEvents() }
    }

    /// Records events from now on for a reader of a workflow around.
    private func recordEvents() {
        readClockAlways()
        let maps = look { machine in
            machine.eventLog.record()
            return machine.maps
        }
        for map in maps { map.core.recordEvents() }
    }

    /// Sends the events of a map's elements to the workflow around, while that has readers.
    func forwardEvents(to outer: WorkflowCore, ofMap number: Int32) {
        let outlet = outer.look { $0.eventLog.outlet(ofMapAt: Int(number) + 1) }
        if outlet.recordsEvents { readClockAlways() }
        look { $0.eventLog.forward(to: outlet) }
    }

    // MARK: Reading

    /// Returns the report of a settled run.
    func report(of run: SettledRun) -> RunReport {
        run.machine.report(at: .zero).including(elementsOf: run.machine.maps)
    }

    /// The progress of all tasks, with the elements of maps.
    var progress: WorkflowProgress {
        // A map that doesn't know its list has no elements, and counts itself.
        let maps = look { $0.maps }.map { ($0.number, $0.core.progress) }.filter { $0.1.total > 0 }
        let numbers = maps.map(\.0)
        let (own, areFinished) = look { machine in
            let areFinished = numbers.allSatisfy { machine.tasks[$0].state == .finished }
            return (machine.progress(of: nil, without: numbers), areFinished)
        }
        let sum = maps.reduce(own) { $0.adding($1.1) }
        return areFinished ? sum : sum.limited(to: WorkflowMachine.mostUnfinished)
    }
}

extension WorkflowMachine {
    /// The inner workflows of maps over results, with the numbers of the maps.
    var maps: [(number: Int32, core: WorkflowCore)] {
        rare.maps.compactMap { number in
            (object(number) as? SubworkflowTask).map { (number, $0.subworkflow.core) }
        }
    }
}

extension RunReport {
    /// Returns the report with the failures and attempts of the elements of maps over results.
    ///
    /// Takes the locks of the inner workflows, so call it without one.
    func including(elementsOf maps: [(number: Int32, core: WorkflowCore)]) -> RunReport {
        guard !maps.isEmpty else { return self }
        var report = self
        for map in maps {
            let elements = map.core.look { $0.elements() }
            report.graph?.tasks[Int(map.number)].inside = elements.graph
            // Before those of the workflow: a map ends at the time of its last element or later.
            report.failures = elements.failures + report.failures
        }
        report.failures.sort { $0.date < $1.date }
        return report
    }
}
