import Dispatch
import Foundation
import Stepline
import Synchronization

/// How soon a task begins once nothing holds it back: in a workflow that idles, and in one whose threads are all busy.
enum WorkflowLatency: Benchmark {
    static let name = "workflow-latency"
    static let summary = "from the end of the last prerequisite to the begin of the body"

    static func run() throws -> [Finding] {
        latencies("idle", try idleSamples(Sizes.of(2000, atLeast: 20)))
            + latencies("straight on", try saturatedSamples(Sizes.of(40_000, atLeast: 40)))
    }

    /// Each time all threads have gone to rest before a condition is fulfilled that a task waits for.
    private static func idleSamples(_ count: Int) throws -> [Double] {
        var samples: [Double] = []
        for _ in 0..<count {
            let workflow = Workflow("idle")
            let begun = DispatchSemaphore(value: 0)
            let time = Atomic<UInt64>(0)
            let go = try workflow.addCondition("go", of: Void.self)
            try withExtendedLifetime(workflow) {
                let stamp = Stamp()
                try workflow.add("task", following: [go]) {
                    stamp.take()
                    begun.signal()
                }
                try workflow.start()
                usleep(2000)
                time.store(DispatchTime.now().uptimeNanoseconds, ordering: .relaxed)
                go.fulfill(with: ())
                begun.wait()
                samples.append(Double(stamp.time) - Double(time.load(ordering: .relaxed)))
            }
        }
        return samples
    }

    /// As many chains as there are cores, of bodies of 20 µs: each end makes the next task ready.
    private static func saturatedSamples(_ count: Int) throws -> [Double] {
        let workflow = Workflow("saturated")
        let chains = ProcessInfo.processInfo.activeProcessorCount
        var ends: [Stamp] = []
        var begins: [(begin: Stamp, before: Stamp)] = []
        for _ in 0..<chains {
            var last: (task: TaskRef<Void>, end: Stamp)?
            for _ in 0..<count / chains {
                let (begin, end) = (Stamp(), Stamp())
                let task = try workflow.add("task", following: last.map { [$0.task] } ?? []) {
                    begin.take()
                    spin(nanoseconds: 20_000)
                    end.take()
                }
                if let last { begins.append((begin, last.end)) }
                last = (task, end)
                ends.append(end)
            }
        }
        GraphWorkflow.runToEnd(workflow)
        return begins.map { Double($0.begin.time) - Double($0.before.time) }
    }
}

/// A moment, taken by a body and read after the run.
final class Stamp: Sendable {
    private let nanoseconds = Atomic<UInt64>(0)
    func take() { nanoseconds.store(DispatchTime.now().uptimeNanoseconds, ordering: .relaxed) }
    var time: UInt64 { nanoseconds.load(ordering: .relaxed) }
}

func spin(nanoseconds: UInt64) {
    let end = DispatchTime.now().uptimeNanoseconds + nanoseconds
    while DispatchTime.now().uptimeNanoseconds < end {}
}
