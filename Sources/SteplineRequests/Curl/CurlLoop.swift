#if os(Linux)
    import Foundation
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
            let thread = Thread { [self] in run(makeWorker(multi)) }
            thread.name = "stepline.curl"
            thread.stackSize = 2 << 20
            thread.start()
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
            blockBrokenPipes()
            while true {
                for command in inbox.withLock({ $0.take() }) {
                    if case .quit = command { return worker.quit() }
                    worker.perform(command)
                }
                worker.work()
                if inbox.withLock({ $0.fallAsleep() }) { multi.wait() }
            }
        }

        /// Keeps a peer that has gone from ending the process, should libcurl's TLS write without asking for that.
        private func blockBrokenPipes() {
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
        }
    }
#endif
