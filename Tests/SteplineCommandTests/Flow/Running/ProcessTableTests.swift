#if os(Linux)
    import Glibc
    import TestProcesses
    import Testing

    @testable import SteplinePrograms

    @Suite("The table of processes", .timeLimit(.minutes(1)))
    struct ProcessTableTests {
        @Test("a group whose last member is dead, and only not taken from the list, has nobody in it")
        func dead() throws {
            var attributes = posix_spawnattr_t()
            posix_spawnattr_init(&attributes)
            defer { posix_spawnattr_destroy(&attributes) }
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
            let arguments = ["sleep", "600", nil].map { $0.flatMap { strdup($0) } }
            defer { for argument in arguments { free(argument) } }
            var pid: pid_t = 0
            let error = TestProcess.spawning {
                posix_spawn(&pid, "/bin/sleep", nil, &attributes, arguments, nil)
            }
            try #require(error == 0)
            #expect(!ProcessTable.now().showsNobody(in: pid))
            kill(pid, SIGKILL)
            // It stays in the list until it is waited for.
            var info = siginfo_t()
            while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
            #expect(kill(-pid, 0) == 0)
            #expect(ProcessTable.now().showsNobody(in: pid))
            #expect(waitpid(pid, nil, 0) == pid)
        }
    }
#endif
