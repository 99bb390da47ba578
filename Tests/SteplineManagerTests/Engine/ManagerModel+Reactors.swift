@testable import SteplineManager

extension ManagerModel {
    mutating func beginAsking(_ task: Int) {
        isAsking = true
        asked = (task, now)
        if !timers.contains(where: { $0.timer == .asking }) { set(.asking, after: answerTime) }
    }

    mutating func asked(_ task: Int, _ yes: [Int]) {
        isAsking = false
        asked = nil
        tasks[task].firstToAsk = 0
        guard !isOver(task) else { return }
        guard !yes.isEmpty else { return complete(task) }
        tasks[task].joinOrder = next()
        tasks[task].requeues = false
        tasks[task].reintercepts = false
        tasks[task].backoff = 0
        var all: [Int] = [], delaying: [Int] = []
        for reactor in yes {
            let terms = terms[reactor]
            if terms.requeues, let most = terms.most, tasks[task].counts[reactor] >= most { continue }
            if terms.reintercepts { tasks[task].reintercepts = true }
            if terms.requeues {
                tasks[task].requeues = true
                tasks[task].counts[reactor] += 1
                tasks[task].backoff = max(tasks[task].backoff, terms.backoff)
                if tasks[task].mark < lastSuccess[reactor], runs[reactor] == nil { continue }
            }
            let number = join(reactor, task)
            all.append(number)
            if terms.delays { delaying.append(number) }
        }
        tasks[task].runs = tasks[task].requeues ? all : delaying
        if tasks[task].runs.isEmpty { runsAreOver(task) } else { tasks[task].stage = .reacting }
    }

    private mutating func join(_ reactor: Int, _ task: Int) -> Int {
        if runs[reactor] != nil {
            runs[reactor]?.joined.append(task)
            return runs[reactor]?.number ?? 0
        }
        lastRun += 1
        runs[reactor] = Run(number: lastRun, joined: [task], suspends: terms[reactor].suspends)
        if let timeout = terms[reactor].timeout { set(.run(reactor), after: timeout) }
        if runBodies[reactor] == nil { beginRunBody(reactor) }
        return lastRun
    }

    mutating func beginRunBody(_ reactor: Int) {
        guard runs[reactor] != nil else { return }
        lastRunBody += 1
        runBodies[reactor] = lastRunBody
        runs[reactor]?.body = lastRunBody
    }

    /// A body of a reactor's has ended, the one that is live.
    mutating func runBodyEnded(_ reactor: Int, hasFailed: Bool) {
        let body = runBodies[reactor]
        runBodies[reactor] = nil
        withdraw(.runGrace(reactor))
        let moment = next()
        if let run = runs[reactor], run.body == body {
            if !hasFailed { lastSuccess[reactor] = moment }
            close(reactor, hasFailed: hasFailed)
        } else {
            beginRunBody(reactor)
        }
    }

    mutating func close(_ reactor: Int, hasFailed: Bool) {
        guard let run = runs[reactor] else { return }
        withdraw(.run(reactor))
        runs[reactor] = nil
        isClosing = run.suspends
        for task in run.joined where tasks[task].stage == .reacting {
            if tasks[task].requeues, hasFailed {
                end(task, .failed)
            } else {
                tasks[task].runs.removeAll { $0 == run.number }
                if tasks[task].runs.isEmpty { runsAreOver(task) }
            }
        }
        // Nothing else begins before all of its tasks are in line.
        isClosing = false
        begin()
    }

    private mutating func runsAreOver(_ task: Int) {
        guard tasks[task].requeues else { return complete(task) }
        tasks[task].order = tasks[task].joinOrder
        if tasks[task].backoff > 0 {
            tasks[task].stage = .backoff
            set(.delay(task), after: tasks[task].backoff)
        } else {
            goAgain(task)
        }
    }

    mutating func goAgain(_ task: Int) {
        tasks[task].mark = 0
        if tasks[task].reintercepts { return awaitTurn(task) }
        makeReady(task)
    }
}
