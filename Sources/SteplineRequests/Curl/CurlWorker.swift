#if os(Linux)
    import Foundation
    import FoundationNetworking
    import SteplineSupport

    /// What the loop's thread does, and all that belongs to it alone.
    final class CurlWorker {
        private let multi: CurlMulti
        private let rules: CurlRules
        private var calls: [CurlEasy: CurlCall] = [:]
        private var handles: [ObjectIdentifier: CurlEasy] = [:]
        /// Calls whose bytes are told once libcurl has returned.
        private var pending: [CurlCall] = []
        /// Calls that have a rest to unpack, by their exchange; libcurl may have ended them already.
        private var resting: [ObjectIdentifier: CurlCall] = [:]

        init(_ multi: CurlMulti, _ rules: CurlRules) {
            self.multi = multi
            self.rules = rules
        }

        func perform(_ command: CurlLoop.Command) {
            switch command {
            case .begin(let exchange): begin(exchange)
            case .stop(let exchange): stop(exchange)
            case .goOn(let exchange): goOn(exchange)
            case .quit: quit()
            }
        }

        /// Whether there is something to do for which nothing has to be waited for.
        var isBusy: Bool { resting.values.contains { !$0.isHeld } }

        /// Does what can be done without waiting.
        func work() {
            multi.perform()
            while let (easy, code) = multi.nextEnded() {
                let verdict = code == 0 ? 0 : easy.verifyResult
                let call = remove(easy)
                call?.end(code, verdict: verdict)
            }
            unpackRests()
            tellPending()
        }

        /// Lets go of everything; transfers that are left end as cancelled.
        func quit() {
            for (easy, call) in calls {
                _ = remove(easy)
                call.exchange.end(URLError(.cancelled))
            }
            for call in resting.values { call.exchange.end(URLError(.cancelled)) }
            multi.free()
        }

        private func begin(_ exchange: CurlExchange) {
            guard !exchange.isOver else { return }
            if let problem = exchange.request.problemForCurl { return exchange.end(problem) }
            // Always a fresh one: in one that is used again, libcurl 7.88 takes a folded line at the head's beginning for
            // the continuation of a header that it has freed.
            guard let easy = CurlEasy() else { return exchange.end(POSIXError(.ENOMEM)) }
            do {
                let call = try CurlCall(exchange)
                try call.prepare(easy, rules)
                call.hasPending = { [unowned self, unowned call] in pending.append(call) }
                call.leavesRest = { [unowned self, unowned call] in
                    resting[ObjectIdentifier(call.exchange)] = call
                }
                guard multi.add(easy) else { throw POSIXError(.ENOMEM) }
                calls[easy] = call
                handles[ObjectIdentifier(exchange)] = easy
            } catch {
                easy.free()
                exchange.end(error)
            }
        }

        private func stop(_ exchange: CurlExchange) {
            resting[ObjectIdentifier(exchange)] = nil
            if let easy = handles[ObjectIdentifier(exchange)] { _ = remove(easy) }
        }

        private func goOn(_ exchange: CurlExchange) {
            let place = ObjectIdentifier(exchange)
            // A rest comes before what follows it.
            guard resting[place] == nil, let easy = handles[place] else { return }
            if calls[easy]?.goOn() == true { easy.goOn() }
        }

        /// Goes on with all rests that are wanted; what is behind one comes once there is none left.
        private func unpackRests() {
            for (place, call) in resting where !call.isHeld {
                guard call.unpackRest() else { continue }
                resting[place] = nil
                if let end = call.heldEnd {
                    call.end(end.code, verdict: end.verdict)
                } else if let easy = handles[place] {
                    if call.failure != nil {
                        _ = remove(easy)
                        call.end(0, verdict: 0)
                    } else if call.goOn() {
                        easy.goOn()
                    }
                }
            }
        }

        private func tellPending() {
            let told = pending
            pending.removeAll(keepingCapacity: true)
            for call in told { call.tellPending() }
        }

        /// Takes a transfer out; one that is under way has its connection closed.
        private func remove(_ easy: CurlEasy) -> CurlCall? {
            multi.remove(easy)
            let call = calls.removeValue(forKey: easy)
            if let call { handles[ObjectIdentifier(call.exchange)] = nil }
            easy.free()
            return call
        }
    }
#endif
