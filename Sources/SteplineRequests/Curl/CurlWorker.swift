#if os(Linux)
    import Foundation
    import FoundationNetworking
    import SteplineSupport

    /// The transfers of a loop's thread, and all state that belongs to this thread.
    ///
    /// | State of an exchange | In | Left by |
    /// | --- | --- | --- |
    /// | active | `calls`, `handles` | libcurl's end, `stop` |
    /// | active with remaining bytes | also `resting` | `unpackRemainders`, `stop` |
    /// | ended in libcurl, with remaining bytes | only `resting` | `unpackRemainders`, `stop` |
    ///
    /// Small pieces of a body are collected, and reported once libcurl has returned (`pending`).
    final class CurlWorker {
        private let multi: CurlMulti
        private let rules: CurlRules
        private var calls: [CurlEasy: CurlCall] = [:]
        private var handles: [ObjectIdentifier: CurlEasy] = [:]
        /// The largest number of transfers at once so far.
        private var peak = 0
        /// The calls with bytes to report once libcurl has returned.
        private var pending: [CurlCall] = []
        /// The calls with bytes to decompress, by exchange; libcurl may have ended them already.
        private var resting: [ObjectIdentifier: CurlCall] = [:]

        init(_ multi: CurlMulti, _ rules: CurlRules) {
            self.multi = multi
            self.rules = rules
        }

        func perform(_ command: CurlLoop.Command) {
            switch command {
            case .begin(let exchange): begin(exchange)
            case .stop(let exchange): stop(exchange)
            case .resume(let exchange): resume(exchange)
            case .quit: quit()
            }
        }

        /// Whether work remains that needs no waiting.
        var isBusy: Bool { resting.values.contains { !$0.isHeld } }

        /// Performs all work that needs no waiting.
        func work() {
            multi.perform()
            while let (easy, code) = multi.nextEnded() {
                // Read the verification result before the handle is freed.
                let verdict = code == 0 ? 0 : easy.verifyResult
                let call = remove(easy)
                call?.end(code, verdict: verdict)
            }
            // Decompression comes after libcurl's work, in bounded steps: a large body doesn't block other transfers.
            unpackRemainders()
            tellPending()
        }

        /// Releases all resources; remaining transfers end as cancelled.
        func quit() {
            for (easy, call) in calls {
                _ = remove(easy)
                call.exchange.end(URLError(.cancelled))
            }
            for call in resting.values { call.exchange.end(URLError(.cancelled)) }
            multi.free()
        }

        private func begin(_ exchange: CurlExchange) {
            // Stopped before the thread took the command.
            guard !exchange.isOver else { return }
            if let problem = exchange.request.problemForCurl { return exchange.end(problem) }
            // Always create a new handle: in a reused one, libcurl 7.88 takes a folded line at the beginning of a head
            // for the continuation of a freed header.
            guard let easy = CurlEasy() else { return exchange.end(POSIXError(.ENOMEM)) }
            do {
                let call = try CurlCall(exchange)
                try call.prepare(easy, rules)
                // Unowned references: the worker owns the call, and libcurl calls back only while the worker has it.
                call.hasPending = { [unowned self, unowned call] in pending.append(call) }
                call.leavesRest = { [unowned self, unowned call] in
                    resting[ObjectIdentifier(call.exchange)] = call
                }
                guard multi.add(easy) else { throw POSIXError(.ENOMEM) }
                calls[easy] = call
                raisePeak()
                handles[ObjectIdentifier(exchange)] = easy
            } catch {
                easy.free()
                exchange.end(error)
            }
        }

        /// Has libcurl keep four connections for each transfer of the largest burst.
        ///
        /// By default it counts the transfers of the moment: it closes most connections when a burst ends, and the next
        /// burst connects again.
        private func raisePeak() {
            guard calls.count > peak else { return }
            peak = calls.count
            multi.keep(connections: 4 * peak)
        }

        private func stop(_ exchange: CurlExchange) {
            resting[ObjectIdentifier(exchange)] = nil
            // Absent if libcurl has ended the transfer already.
            if let easy = handles[ObjectIdentifier(exchange)] { _ = remove(easy) }
        }

        private func resume(_ exchange: CurlExchange) {
            let place = ObjectIdentifier(exchange)
            // Remaining bytes come before the following ones: `unpackRemainders` resumes libcurl afterwards.
            guard resting[place] == nil, let easy = handles[place] else { return }
            if calls[easy]?.resume() == true { easy.resume() }
        }

        /// Decompresses remaining bytes; resumes or ends a transfer once none are left.
        private func unpackRemainders() {
            for (place, call) in resting where !call.isHeld {
                // Still too much output for one step, or the reader holds the bytes back again.
                guard call.unpackRest() else { continue }
                resting[place] = nil
                // libcurl had ended the transfer while bytes remained: report the end now.
                if let end = call.heldEnd {
                    call.end(end.code, verdict: end.verdict)
                } else if let easy = handles[place] {
                    // Invalid compressed data: libcurl would continue to receive the body.
                    if call.failure != nil {
                        _ = remove(easy)
                        call.end(0, verdict: 0)
                    } else if call.resume() {
                        easy.resume()
                    }
                }
            }
        }

        private func tellPending() {
            // Reporting may add calls to `pending`, so take the list first.
            let reporting = pending
            // The capacity is kept, because this runs once per round.
            pending.removeAll(keepingCapacity: true)
            for call in reporting { call.tellPending() }
        }

        /// Removes a transfer; an active one has its connection closed.
        private func remove(_ easy: CurlEasy) -> CurlCall? {
            multi.remove(easy)
            let call = calls.removeValue(forKey: easy)
            if let call { handles[ObjectIdentifier(call.exchange)] = nil }
            easy.free()
            return call
        }
    }
#endif
