import SteplineSupport

extension ManagerCore {
    /// Asks the interceptors about one task after another.
    func interceptLoop(_ loop: Int) {
        let body = spawn {
            await ManagerPlace.$current.withValue(ManagerPlace(core: self, kind: .interceptor)) {
                while let record = self.update(on: .shared, { $0.nextInterception(loop: loop) }) {
                    await self.intercept(record, loop: loop)
                }
            }
        }
        machine.withLock { if $0.interception.loop == loop { $0.interceptionBody = body } }
    }

    private func intercept(_ record: TaskRecord, loop: Int) async {
        var answers: [InterceptAnswer] = []
        answers.reserveCapacity(interceptors.count)
        for (position, interceptor) in interceptors.enumerated() {
            let context = update { $0.interceptContext(record, position: position, loop: loop) }
            guard let context else { return }
            let command: InterceptCommand
            do { command = try await record.intercept(with: interceptor, context) } catch {
                command = .fail(error)
            }
            var limits = HoldLimits()
            if case .hold = command { limits = interceptor.holdLimits }
            answers.append(InterceptAnswer(command: command, limits: limits))
        }
        update(on: .shared) { $0.intercepted(record, answers, loop: loop) }
    }

    /// Asks the reactors about one result after another.
    func reactionLoop(_ loop: Int, from first: Int = 0) {
        let body = spawn {
            await ManagerPlace.$current.withValue(ManagerPlace(core: self, kind: .asking)) {
                while let record = self.update(on: .shared, { $0.nextAsked(loop: loop) }) {
                    await self.ask(record, loop: loop)
                }
            }
        }
        machine.withLock { if $0.asking.loop == loop { $0.askingBody = body } }
    }

    private func ask(_ record: TaskRecord, loop: Int) async {
        for (index, reactor) in reactors.enumerated() where index >= record.firstToAsk {
            let context = update { $0.reactionContext(record, reactor: index, loop: loop) }
            guard let context else { continue }
            guard await record.ask(reactor, context) else { continue }
            let configuration = reactor.configuration
            machine.withLock { machine in
                guard machine.asking.isCurrent(record, in: loop) else { return }
                record.answers.append(ReactorAnswer(reactor: index, configuration: configuration))
            }
        }
        update(on: .shared) { machine in
            guard machine.asking.isCurrent(record, in: loop) else { return }
            let answers = record.answers
            record.answers = []
            record.firstToAsk = 0
            machine.asked(record, answers, loop: loop)
        }
    }
}
