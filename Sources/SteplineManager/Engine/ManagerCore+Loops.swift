import SteplineSupport

extension ManagerCore {
    /// Asks the interceptors about one task after another.
    func interceptLoop(_ loop: Int) {
        let body = spawn {
            await ManagerPlace.$current.withValue(ManagerPlace(core: self, kind: .interceptor)) {
                var turn = self.update(on: .shared) { $0.nextInterception(loop: loop) }
                while let (record, heldCounts) = turn {
                    let answers = await self.intercept(record, heldCounts)
                    turn = self.update(on: .shared) { machine in
                        machine.intercepted(record, answers, loop: loop)
                        return machine.nextInterception(loop: loop)
                    }
                    record.letGo(of: .interceptors)
                }
            }
        }
        machine.withLock {
            if $0.interception.loop == loop, $0.interception.isRunning { $0.interceptionBody = body }
        }
    }

    private func intercept(_ record: TaskRecord, _ heldCounts: [Int]) async -> [InterceptAnswer] {
        var answers: [InterceptAnswer] = []
        answers.reserveCapacity(interceptors.count)
        for (position, interceptor) in interceptors.enumerated() {
            // A loop that was given up asks nobody else.
            if Task.isCancelled { break }
            if position > 0 { interceptionProgress.begin(at: options.clock.uptime, position: position) }
            let context = InterceptContext(
                heldCount: heldCounts[position], handle: AnyTaskHandle(record), attempt: record.attempt + 1)
            let command: InterceptCommand
            do { command = try await record.intercept(with: interceptor, context) } catch {
                command = .fail(error)
            }
            var limits = HoldLimits()
            if case .hold = command { limits = interceptor.holdLimits }
            answers.append(InterceptAnswer(command: command, limits: limits))
        }
        return answers
    }

    /// Asks the reactors about one result after another.
    func reactionLoop(_ loop: Int) {
        let body = spawn {
            await ManagerPlace.$current.withValue(ManagerPlace(core: self, kind: .asking)) {
                var turn = self.update(on: .shared) { $0.nextAsked(loop: loop) }
                while let (record, requeues) = turn {
                    await self.ask(record, requeues, loop: loop)
                    turn = self.update(on: .shared) { machine in
                        guard machine.asking.isCurrent(record, in: loop) else { return nil }
                        let answers = record.answers
                        record.answers = []
                        record.firstToAsk = 0
                        record.letGo(of: .reactors)
                        machine.asked(record, answers, loop: loop)
                        return machine.nextAsked(loop: loop)
                    }
                }
            }
        }
        machine.withLock { if $0.asking.loop == loop, $0.asking.isRunning { $0.askingBody = body } }
    }

    private func ask(_ record: TaskRecord, _ requeues: [Int: Int], loop: Int) async {
        for (index, reactor) in reactors.enumerated()
        where index >= record.firstToAsk && index != record.exemptReactor {
            if Task.isCancelled { return }
            if index > 0 { askingProgress.begin(at: options.clock.uptime, position: index) }
            let context = ReactionContext(
                handle: AnyTaskHandle(record), attempt: record.attempt, requeues: requeues[index] ?? 0)
            guard await record.ask(reactor, context) else { continue }
            var configuration = reactor.configuration
            if let waiting = reactor as? any WaitingReactor {
                configuration.least = record.wait(for: waiting, context)
            }
            let answered = configuration
            machine.withLock { machine in
                guard machine.asking.isCurrent(record, in: loop) else { return }
                record.answers.append(ReactorAnswer(reactor: index, configuration: answered))
            }
        }
    }
}
