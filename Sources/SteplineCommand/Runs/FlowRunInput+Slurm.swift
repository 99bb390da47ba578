import Foundation
import SteplineRuns
import SteplineSupport

extension FlowRunInput {
    /// Returns workers for a run, started by Slurm, with the permissions of this process.
    func helpers(
        _ workers: WorkerWords, of id: RunID, at place: RunStorePlace, _ arguments: Arguments,
        _ session: Session, _ clock: any StepClock, _ teller: RunTeller
    ) throws -> RunHelpers {
        let settings = WorkerSettings(asked: arguments[.slots], idle: nil, grace: nil)
        var words = [Bundle.main.executablePath ?? CommandLine.arguments[0], "work", flow] + permissions
        words += ["--slots", "\(settings.slots)", "--idle", text(arguments[.idle] ?? .seconds(60))]
        if let grace = arguments[.grace] { words += ["--grace", text(grace)] }
        return try RunHelpers(
            workers, of: id, at: place, command: words, slots: settings.slots,
            environment: session.environment, clock: clock
        ) {
            teller.tell($0)
        }
    }

    private func text(_ duration: Duration) -> String { "\(Int(duration / .milliseconds(1)))ms" }
}
