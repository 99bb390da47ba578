import SteplineEngine
import SteplineSupport
import SteplineTesting
import TestSupport

@testable import SteplineManager

/// The surroundings of a machine in a test: no thread, only a list of effects.
final class MachineFace: EngineFace {
    let engine: Engine<ManagerMachine>
    let engineClock: EngineClock
    let clock = ManualClock()
    let watch = LockWatch()
    private let effects = Locked<[ManagerEffect]>([])

    init(_ rules: ManagerRules, maximumConcurrency: Int) {
        engineClock = EngineClock(clock)
        engine = Engine(
            ManagerMachine(
                identifier: 0, rules, maximumConcurrency: maximumConcurrency, watchdog: nil,
                log: StepLog(synchronous: true)))
    }

    func perform(_ effect: ManagerEffect) { effects.withLock { $0.append(effect) } }

    /// Takes the effects since the last call.
    func takeEffects() -> [ManagerEffect] {
        effects.withLock { effects in
            defer { effects = [] }
            return effects
        }
    }

    @discardableResult
    func update<Answer>(_ change: (inout ManagerMachine, inout ManagerTurn) -> Answer) -> Answer {
        send { machine, turn in
            watch.lock()
            defer { watch.unlock() }
            let answer = change(&machine, &turn)
            machine.settle(.own, &turn)
            return answer
        }
    }
}
