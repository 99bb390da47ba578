import Foundation
import Stepline
import SteplineRequests
import SteplineSupport
import SteplineTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Loads of every fate over a double of the network, in the line of one host, shared and cancelled by several senders.
struct TransferProgram: Sendable {
    /// The fate of a load, by its path.
    private enum Fate: String, CaseIterable {
        case whole, late, moved, away, inCircles, refused, dropped, lost, silent, long
    }

    private struct Load: Sendable {
        let fate: Fate
        let pipeline: Pipeline<Data>
        let ends: Recorder<Outcome<Data>>
    }

    private let seed: UInt64
    private let isPlayed: Bool
    /// A host of its own, as all loads of the process share its line.
    private let host: String
    private let transport = TransportDouble()
    private let loads = Locked<[Load]>([])

    init(_ seed: UInt64, isPlayed: Bool) {
        self.seed = seed
        self.isPlayed = isPlayed
        host = "http://h\(seed).test"
        let host = host
        transport.on({ _ in true }) { request, number in
            switch Fate(rawValue: request.url?.lastPathComponent ?? "") {
            case .late: .text("body").after(.microseconds(100))
            case .moved: .redirect(to: "/whole", status: number % 2 == 0 ? 302 : 307)
            case .away: .redirect(to: "\(host):81/whole")
            case .inCircles: .redirect(to: "/inCircles")
            case .refused: .text("no", status: 404)
            case .dropped: .text("body").header("Content-Length", "4").dropping(after: 2)
            case .lost: .failure(URLError(.networkConnectionLost))
            case .silent: .silence
            case .long: .text("longer than is taken")
            case .whole, nil: .text("body")
            }
        }
    }

    /// Has three senders at work at once.
    func sendFromAll() async {
        await withTaskGroup(of: Void.self) { group in
            for sender in 0..<3 {
                group.addTask {
                    var random = StableRandom(seed: seed &* 29 &+ UInt64(sender))
                    for _ in 0..<10 {
                        await act(&random)
                        if isPlayed { await Task.yield() }
                    }
                }
            }
        }
    }

    private func act(_ random: inout StableRandom) async {
        if Bool.random(using: &random) { return add(&random) }
        guard let load = loads.withLock({ $0.randomElement(using: &random) }) else { return }
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1: load.pipeline.cancel()
        case 2:
            let subscription = load.pipeline.onEnd { _ in }
            await Task.yield()
            subscription.cancel()
        case 3:
            let events = load.pipeline.events
            let reader = Task { for await _ in events { break } }
            await Task.yield()
            reader.cancel()
        case 4: _ = load.pipeline.explain()
        default: _ = load.pipeline.progress
        }
    }

    private func add(_ random: inout StableRandom) {
        let fate = Fate.allCases.randomElement(using: &random) ?? .whole
        var options = LoadOptions()
        options.transport = transport
        options.sizeLimit = 8
        options.redirects = .follow(limit: 3)
        options.sharesEqualLoads = Bool.random(using: &random)
        if Bool.random(using: &random) { options.perHost.connections = Int.random(in: 1...2, using: &random) }
        // Nothing else may end it.
        if fate == .silent { options.totalTimeout = .milliseconds(1) }
        let url = URL(string: "\(host)/\(fate.rawValue)") ?? URL(filePath: "/")
        let pipeline = Pipeline("load") { [options] in URLLoadStep(url, options: options) }
        let ends = Recorder<Outcome<Data>>()
        pipeline.onEnd { ends.record($0) }
        loads.withLock { $0.append(Load(fate: fate, pipeline: pipeline, ends: ends)) }
        try? pipeline.start()
    }

    /// Waits for the end of all; what is wrong then, or nothing.
    func finish() async -> [String] {
        let all = loads.withLock { $0 }
        var faults: [String] = []
        for load in all {
            let outcome = await load.pipeline.outcome()
            await load.ends.waitForCount(1)
            if load.ends.count != 1 { faults.append("\(load.fate) has ended \(load.ends.count) times") }
            if !fits(outcome, load.fate) { faults.append("\(load.fate): \(outcome)") }
        }
        // Whatever has come and gone, the host's line is free.
        var options = LoadOptions()
        options.transport = transport
        options.perHost.connections = 1
        let last = Pipeline("last") { [options, host] in
            URLLoadStep(URL(string: "\(host)/whole") ?? URL(filePath: "/"), options: options)
        }
        if (try? await last.run()) != Data("body".utf8) { faults.append("the last one fails") }
        return faults
    }

    private func fits(_ outcome: Outcome<Data>, _ fate: Fate) -> Bool {
        let code: RequestError.Code?
        switch outcome {
        case .cancelled: return true
        case .success(let data):
            return data == Data("body".utf8) && [.whole, .late, .moved, .away].contains(fate)
        case .failure(let error): code = ((error as? PipelineError)?.underlying as? RequestError)?.code
        }
        switch fate {
        case .whole, .late, .moved, .away: return false
        case .inCircles: return code == .tooManyRedirects
        case .refused: return code == .status
        case .dropped: return code == .truncated
        case .lost: return code == .connection
        case .silent: return code == .timedOut
        case .long: return code == .tooLarge
        }
    }
}
