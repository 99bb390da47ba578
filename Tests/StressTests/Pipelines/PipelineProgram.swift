import Foundation
import Stepline
import SteplineSupport
import SteplineTesting

/// A random pipeline together with what several threads will do to it while it runs.
struct PipelineProgram {
    enum Body: CaseIterable {
        case plain, async, queued, failing, retried, throwsCancellation, addsSteps, removesLast, cancelsItself
        case cancelsPipeline, reportsProgress, blocking
    }

    enum Deed: CaseIterable {
        case addStep, insertFirst, removeLast, cancel, cancelStep, lookAround, observe, unobserve, copy,
            readEvents
        case awaitOutcome, emptyQueue, comeAndGo
    }

    let bodies: [Body]
    /// The actions of each other thread, in order.
    let deeds: [[Deed]]
    let startsFirst: Bool
    /// The seed of choices during the run.
    let seed: UInt64

    /// Makes one by chance; without operation queues and threads where those would be nobody's to rule.
    init(_ random: inout StableRandom, hasQueues: Bool = true) {
        // Most steps simply work, or hardly any pipeline would come to its end.
        bodies = (0..<Int.random(in: 1...8, using: &random)).map { _ in
            let body =
                random.chance(2, in: 3)
                ? [.plain, .async, .queued, .blocking].randomElement(using: &random) ?? .plain
                : Body.allCases.randomElement(using: &random) ?? .plain
            return [.queued, .blocking].contains(body) && !hasQueues ? .async : body
        }
        let harmless: [Deed] = [
            .addStep, .removeLast, .lookAround, .observe, .copy, .readEvents, .awaitOutcome,
            .comeAndGo,
        ]
        deeds = (0..<3).map { _ in
            (0..<Int.random(in: 1...6, using: &random)).map { _ in
                random.chance(3, in: 4)
                    ? harmless.randomElement(using: &random) ?? .lookAround
                    : Deed.allCases.randomElement(using: &random) ?? .lookAround
            }
        }
        seed = random.next()
        startsFirst = random.chance(1, in: 2)
    }
}

/// A failure that was meant to be.
struct Planned: Error, RetryAdvising {
    let isTransient: Bool
}
