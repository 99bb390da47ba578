#if os(Linux)
    import Dispatch
    import SteplineSupport

    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// The single thread that performs a transport's transfers, and its command queue.
    ///
    /// `tell` may be called from any thread. The thread repeats three steps: perform the commands, let libcurl work,
    /// wait. libcurl's handles are used only on this thread, except for the wake-up.
    ///
    /// `quit` is the last command. The thread then frees the multi handle and ends.
    final class CurlLoop: Sendable {
        enum Command {
            case begin(CurlExchange)
            case stop(CurlExchange)
            case resume(CurlExchange)
            case quit
        }

        private let inbox = Locked(CurlInbox<Command>())
        private let multi: CurlMulti

        /// Starts the thread, which runs until `quit`; nil if libcurl returns no handle.
        init?(_ makeWorker: @escaping @Sendable (CurlMulti) -> CurlWorker) {
            guard let multi = CurlMulti() else { return nil }
            self.multi = multi
            // A dispatch queue instead of a plain thread: its priority is raised to that of waiting threads.
            let queue = DispatchQueue(label: "stepline.curl", qos: .userInitiated)
            queue.async { self.run(makeWorker(multi)) }
        }

        func tell(_ command: Command) {
            // The thread lives until `quit`, so waking needs no lock here.
            if inbox.withLock({ $0.add(command) }) { multi.wakeUp() }
        }

        /// Ends the thread; no command may follow.
        func quit() {
            // Wake under the lock: once the thread takes `quit`, it frees the handle that this call uses.
            inbox.withLock { if $0.add(.quit) { multi.wakeUp() } }
        }

        private func run(_ worker: CurlWorker) {
            let signals = blockBrokenPipes()
            defer { unblock(signals) }
            while true {
                // Commands first: a stopped exchange must not receive events of this round.
                for command in inbox.withLock({ $0.take() }) {
                    // `quit` frees the multi handle: no libcurl call may follow.
                    if case .quit = command { return worker.quit() }
                    worker.perform(command)
                }
                worker.work()
                // The check and the sleep mark are one critical section, so no command is missed before the wait.
                if !worker.isBusy, inbox.withLock({ $0.fallAsleep() }) { multi.wait() }
            }
        }

        /// Blocks SIGPIPE on this thread: a write to a closed connection in libcurl's TLS must not end the process.
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
