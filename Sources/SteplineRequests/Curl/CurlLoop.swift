#if os(Linux)
    import Dispatch
    import SteplineSupport

    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// The one thread on which a transport's transfers are done, and the way to tell it what to do.
    final class CurlLoop: Sendable {
        enum Command {
            case begin(CurlExchange)
            case stop(CurlExchange)
            case goOn(CurlExchange)
            case quit
        }

        private let inbox = Locked(CurlInbox<Command>())
        private let multi: CurlMulti

        /// Starts the thread, which runs until `quit`; nil if libcurl gives no handle.
        init?(_ makeWorker: @escaping @Sendable (CurlMulti) -> CurlWorker) {
            guard let multi = CurlMulti() else { return nil }
            self.multi = multi
            // A queue of its own, and not a bare thread, so that it is as urgent as the threads that wait for it.
            let queue = DispatchQueue(label: "stepline.curl", qos: .userInitiated)
            queue.async { self.run(makeWorker(multi)) }
        }

        func tell(_ command: Command) {
            if inbox.withLock({ $0.add(command) }) { multi.wakeUp() }
        }

        /// Ends the thread; the last thing that may be told.
        func quit() {
            // Under the lock, since the thread frees what wakes it up.
            inbox.withLock { if $0.add(.quit) { multi.wakeUp() } }
        }

        private func run(_ worker: CurlWorker) {
            let signals = blockBrokenPipes()
            defer { unblock(signals) }
            while true {
                for command in inbox.withLock({ $0.take() }) {
                    if case .quit = command { return worker.quit() }
                    worker.perform(command)
                }
                worker.work()
                if !worker.isBusy, inbox.withLock({ $0.fallAsleep() }) { multi.wait() }
            }
        }

        /// Keeps a peer that has gone from ending the process, should libcurl's TLS write without asking for that.
        private func blockBrokenPipes() -> sigset_t {
            var signals = sigset_t()
            var before = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &signals, &before)
            return before
        }

        private func unblock(_ before: sigset_t) {
            var before = before
            pthread_sigmask(SIG_SETMASK, &before, nil)
        }
    }
#endif
