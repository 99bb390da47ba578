import Foundation
import SteplineSupport
import SteplineTesting
import TestProcesses
import TestServers

@testable import SteplineRuns

/// Workers of the tests: a script that tells by a pipe when it begins and when it is asked to leave.
final class TestWorkers: Sendable {
    /// `begun 1 0 n2 a b`: which of the array, how often it came back, where, and its words; or `told 1`.
    let notes = Recorder<String>()
    let folder: URL
    let run: RunID
    private let cluster: TestCluster
    private let pipe: Int32

    init(in cluster: TestCluster) throws {
        self.cluster = cluster
        let name = UUID().uuidString.prefix(8)
        run = RunID("pages", key: String(name))
        folder = cluster.folder.appending(path: "workers-\(name)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let pipe = folder.appending(path: "notes").path
        guard mkfifo(pipe, 0o600) == 0 else { throw POSIXError(.EIO) }
        // For writing too, so that it never ends.
        let descriptor = open(pipe, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXError(.EIO) }
        self.pipe = descriptor
        let script = """
            #!/bin/sh
            leave() { echo "told $SLURM_ARRAY_TASK_ID" >"$NOTES"; exit 0; }
            trap leave TERM
            echo "begun $SLURM_ARRAY_TASK_ID ${SLURM_RESTART_COUNT:-0} $SLURMD_NODENAME $STEPLINE_STORE $*" >"$NOTES"
            [ "$1" = leave ] && exit 0
            while true; do sleep 1000 & wait $!; done

            """
        try TestProcess.write(script, to: program)
        let notes = self.notes
        Thread.detachNewThread {
            defer { close(descriptor) }
            while true {
                var buffer = [UInt8](repeating: 0, count: 4096)
                let count = read(descriptor, &buffer, buffer.count)
                guard count > 0 else { return }
                for line in String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n") {
                    if line == "end" { return }
                    notes.record(String(line))
                }
            }
        }
    }

    /// Its reader closes the pipe.
    deinit { _ = write(pipe, "end\n", 4) }

    private var program: String { folder.appending(path: "worker").path }

    /// Those of the run, with words of their own.
    func slurm(
        _ words: String..., options: [String] = [], store: String = "a-secret"
    ) throws -> SlurmWorkers {
        let log = "--output=\(folder.path(percentEncoded: false))%a.log"
        return try SlurmWorkers(
            of: run, store: "the store", command: [program] + words, options: [log] + options,
            variables: [
                "STEPLINE_STORE": store, "NOTES": folder.appending(path: "notes").path,
            ], environment: cluster.environment, clock: .system)
    }

    /// The notes, once there are `count` of them.
    func notes(_ count: Int) async -> [String] {
        await notes.waitForCount(count)
        return notes.values
    }
}
