package import Foundation
import SteplineSupport
import TestProcesses

/// A Slurm of the tests' own: a controller and three nodes on this machine, in a temporary folder; it is gone with the
/// process, and so is all that it runs.
package final class TestCluster: Sendable {
    struct Refusal: Error, CustomStringConvertible { let description: String }

    private static let programs = [
        "munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol",
    ]

    package static let absence =
        "no Slurm is found: install it (Debian: apt-get install slurmctld slurmd slurm-client munge)"

    /// Whether tests with a cluster are to be run; where one is required they are, and fail if there is none.
    package static let isNeeded =
        ProcessInfo.processInfo.environment["STEPLINE_REQUIRES_SLURM"] != nil || isThere

    private static let isThere = programs.allSatisfy { program in
        searchPath.split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
        }
    }

    /// Its servers are where an ordinary user doesn't look.
    private static let searchPath =
        (ProcessInfo.processInfo.environment["PATH"] ?? "") + ":/usr/sbin:/usr/bin"

    /// The one that tests share which don't harm it.
    package static func shared() async throws -> TestCluster { try await sharedCluster.value }

    private static let sharedCluster = Task { try await TestCluster() }

    /// Where it keeps everything.
    package let folder: URL
    private let keeper = Locked<Process?>(nil)

    package init() async throws {
        guard Self.isThere else { throw Refusal(description: "\(Self.absence)") }
        // A socket's path is short.
        folder = URL(
            filePath: "/tmp/stepline-slurm-\(UUID().uuidString.prefix(8))", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let ports = try FreePorts.some(4)
        try Data(configuration(ports).utf8).write(to: folder.appending(path: "slurm.conf"))
        var random = SystemRandomNumberGenerator()
        let key = Data((0..<128).map { _ in UInt8.random(in: 0...255, using: &random) })
        _ = FileManager.default.createFile(
            atPath: folder.appending(path: "munge.key").path, contents: key,
            attributes: [.posixPermissions: 0o600])
        try await start()
    }

    deinit { stop() }

    /// The environment by which Slurm's programs find the cluster.
    package var environment: [String: String] {
        ["PATH": Self.searchPath, "SLURM_CONF": folder.appending(path: "slurm.conf").path]
    }

    private func configuration(_ ports: [UInt16]) -> String {
        let path = folder.path(percentEncoded: false)
        // Slurm knows machines by their name without a domain.
        let host = ProcessInfo.processInfo.hostName.prefix { $0 != "." }
        let user = geteuid() == 0 ? "root" : NSUserName()
        let nodes = (1...3).map {
            "NodeName=n\($0) NodeHostname=\(host) NodeAddr=127.0.0.1 Port=\(ports[$0]) CPUs=16 RealMemory=1000"
        }
        // Jobs are spread over the nodes; one that is requeued waits for as short as Slurm lets it.
        return """
            ClusterName=stepline
            SlurmctldHost=\(host)(127.0.0.1)
            SlurmctldPort=\(ports[0])
            SlurmUser=\(user)
            SlurmdUser=\(user)
            AuthType=auth/munge
            CredType=cred/munge
            AuthInfo=socket=\(path)munge.socket,cred_expire=5
            StateSaveLocation=\(path)state
            SlurmdSpoolDir=\(path)%n
            SlurmctldPidFile=\(path)slurmctld.pid
            SlurmdPidFile=\(path)%n.pid
            SlurmctldLogFile=\(path)slurmctld.log
            SlurmdLogFile=\(path)%n.log
            ProctrackType=proctrack/linuxproc
            TaskPlugin=task/none
            MpiDefault=none
            JobAcctGatherType=jobacct_gather/none
            SelectType=select/cons_tres
            SelectTypeParameters=CR_CPU,CR_LLN
            SchedulerType=sched/backfill
            SchedulerParameters=batch_sched_delay=0,sched_min_interval=10000,bf_interval=1
            PreemptType=preempt/partition_prio
            PreemptMode=REQUEUE
            ReturnToService=2
            SlurmctldTimeout=30
            SlurmdTimeout=2
            KillWait=15
            MessageTimeout=5
            PropagateResourceLimits=NONE
            SlurmdParameters=config_overrides
            \(nodes.joined(separator: "\n"))
            PartitionName=work Nodes=ALL Default=YES MaxTime=INFINITE State=UP PriorityTier=1
            PartitionName=pair Nodes=n1,n2 MaxTime=INFINITE State=UP PriorityTier=1
            PartitionName=urgent Nodes=n3 MaxTime=INFINITE State=UP PriorityTier=10

            """
    }

    // MARK: Its life

    /// Starts all of it, and waits until all nodes are there.
    ///
    /// Its keeper ends it once this process is gone.
    private func start() async throws {
        let (keeper, text) = try await Shell.keeper(
            Self.keeping, [folder.path(percentEncoded: false)], environment: environment)
        self.keeper.withLock { $0 = keeper }
        guard text == "ready\n" else {
            let log = try? String(contentsOf: folder.appending(path: "log"), encoding: .utf8)
            throw Refusal(description: "the cluster doesn't start: \(log?.suffix(2000) ?? "")")
        }
    }

    /// Starts it, says so, and ends with who has started it; then all goes that has the cluster in its environment.
    private static let keeping = """
        cd "$1"
        mkdir state n1 n2 n3
        chmod 711 .
        munged --foreground --key-file="$1munge.key" --socket="$1munge.socket" --pid-file="$1munged.pid" \\
            --log-file="$1munged.log" --seed-file="$1munged.seed" --num-threads=4 >>log 2>&1 &
        tries=0
        until [ -S munge.socket ] || [ $tries = 200 ]; do tries=$((tries + 1)); sleep 0.02; done
        begin() {
            { [ $1 = controller ] && exec slurmctld -D -i; exec slurmd -D -N $1; } >>log 2>&1 &
            eval "$1=$!"
        }
        for part in controller n1 n2 n3; do begin $part; done
        tries=0
        while kill -0 $PPID 2>/dev/null && [ $tries -lt 300 ]; do
            # Each ends at once if its port is taken for a moment.
            for part in controller n1 n2 n3; do
                eval "kill -0 \\$$part" 2>/dev/null || begin $part
            done
            [ "$(sinfo -h -p work -o '%t %D' 2>/dev/null)" = 'idle 3' ] && echo ready && tries=1000 && break
            tries=$((tries + 1))
            sleep 0.1
        done
        exec >/dev/null 2>&1
        while [ $tries = 1000 ] && kill -0 $PPID; do sleep 0.2; done
        \(ending)
        rm -rf "$1"
        """

    /// Some may have begun another while they were looked at.
    private static let ending = """
        for round in 1 2 3; do
            for process in /proc/[0-9]*; do
                number=${process#/proc/}
                [ $number = $$ ] && continue
                tr '\\0' '\\n' <$process/environ | grep -qxF "SLURM_CONF=$SLURM_CONF" && kill -9 $number
            done
        done
        """

    /// Ends it for good; it is gone soon after.
    package func stop() {
        let isRunning = keeper.withLock { keeper in
            defer { keeper = nil }
            return keeper != nil
        }
        guard isRunning else { return }
        // Waits for the end of the program.
        let ending = Process()
        ending.executableURL = URL(filePath: "/bin/sh")
        ending.environment = environment
        ending.arguments = ["-c", Self.ending + "\nrm -rf \"$1\"", "sh", folder.path(percentEncoded: false)]
        ending.standardError = FileHandle.nullDevice
        try? TestProcess.start(ending)
    }

    // MARK: Harm

    /// Ends the controller as a power cut does, once it has kept what it knows of jobs of that name.
    package func killController(knowing name: String) async throws {
        try await shell(
            """
            jobs=$(squeue --noheader --array --name="$2" --format=%i)
            for job in $jobs; do scontrol update JobId=$job Comment=kept; done
            until [ "$(grep -ao kept "$1state/job_state" | wc -l)" = "$(echo "$jobs" | wc -l)" ]; do
                sleep 0.05
            done
            kill -9 $(cat "$1slurmctld.pid")
            while kill -0 $(cat "$1slurmctld.pid"); do sleep 0.02; done
            """, [name])
    }

    /// Starts the controller again; with what it knew, or as if it had lost that.
    package func startController(forgetful: Bool = false) async throws {
        try await shell(
            """
            slurmctld -D \(forgetful ? "-c" : "") >>"$1log" 2>&1 &
            until scontrol ping | grep -q 'is UP'; do sleep 0.05; done
            """)
    }

    /// Ends the node's server as a power cut does; what it runs goes on, as Slurm can't tell.
    package func killNode(_ node: String) async throws {
        try await shell("kill -9 $(cat \"$1$2.pid\")", [node])
    }

    /// Waits until no job is left that was given this comment.
    package func waitUntilGone(_ comment: String) async throws {
        try await shell(
            "while squeue --noheader --format=%k | grep -qxF \"$2\"; do sleep 0.1; done", [comment])
    }

    /// The name of the jobs that were given this comment.
    package func jobName(_ comment: String) async throws -> String {
        try await shell(
            "squeue --noheader --format='%k %j' | awk -v comment=\"$2\" '$1 == comment { print $2; exit }' | tr -d '\\n'",
            [comment])
    }

    /// Calls one of Slurm's programs; what it writes.
    @discardableResult
    package func call(_ words: String...) async throws -> String {
        try await shell("shift; exec \"$@\" 2>&1", words)
    }

    @discardableResult
    private func shell(_ script: String, _ arguments: [String] = []) async throws -> String {
        try await Shell.run(
            script, [folder.path(percentEncoded: false)] + arguments, environment: environment, in: folder)
    }
}
