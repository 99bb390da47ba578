import Foundation
import SteplineSupport
import SteplineTesting
import TestServers
import TestSupport
import Testing

@testable import SteplineRuns

@Suite(.timeLimit(.minutes(5)), .enabled(if: TestCluster.isNeeded, "\(TestCluster.absence)"))
struct SlurmWorkersTests {
    @Test
    func
        `DR-50: one array is started, whose workers have their words as they are and the store in their environment`()
        async throws
    {
        let workers = try await TestWorkers(in: .shared())
        let words = ["a b", "$HOME;`x`*", "--array=9", "'\""]
        let slurm = try workers.slurm(
            words[0], words[1], words[2], words[3], store: "postgresql://u:hush@h/d")
        let said = try await slurm.start(3)
        let begun = await workers.notes(3)
        let number = try #require(
            said.firstMatch(of: /^started 3 workers as Slurm's jobs (\d+)_1 to (\d+)_3$/))
        #expect(number.1 == number.2)
        let lastWords: Set<Substring?> = Set(begun.map { $0.split(separator: " ", maxSplits: 4).last })
        let expected = "postgresql://u:hush@h/d " + words.joined(separator: " ")
        #expect(lastWords == [Substring(expected)])
        #expect(Set(begun.map { $0.prefix(7) }) == ["begun 1", "begun 2", "begun 3"])
        #expect(try await slurm.tally() == WorkerTally(running: 3))
        let cluster = try await TestCluster.shared()
        let seen =
            try await cluster.call("scontrol", "show", "job", String(number.1))
            + cluster.call("squeue", "--me", "--format=%all")
        #expect(seen.contains(slurm.name) && !seen.contains("hush"))
        try await slurm.cancel()
        #expect(Set(await workers.notes(6).suffix(3)) == ["told 1", "told 2", "told 3"])
        #expect(try await slurm.tally() == WorkerTally())
        // No job is left, and the cancel succeeds.
        try await slurm.cancel()
    }

    @Test(.soakOnly) func `DR-50: options of sbatch are queued on, and its refusal is reported in its words`()
        async throws
    {
        let workers = try await TestWorkers(in: .shared())
        let refused = await #expect(throws: SlurmError.self) {
            _ = try await workers.slurm(options: ["--partition=nowhere"]).start(1)
        }
        #expect(refused?.code == .refused)
        #expect(refused?.description.contains("invalid partition specified: nowhere") == true)
        // An option without its value doesn't take one of our arguments.
        let odd = try workers.slurm("x", options: ["--nodelist=n2", "--comment"])
        _ = try await odd.start(1)
        #expect(await workers.notes(1) == ["begun 1 0 n2 a-secret x"])
        let job = try await TestCluster.shared().call(
            "squeue", "--name=\(odd.name)", "--noheader", "--format=%k")
        #expect(job == "--parsable\n")
        try await odd.cancel()
    }

    @Test(.soakOnly)
    func `DR-50: the variables reach workers whatever else of the environment they are to have`() async throws
    {
        let workers = try await TestWorkers(in: .shared())
        for (number, export) in ["NONE", "HOME", "ALL,X=1"].enumerated() {
            let slurm = try workers.slurm("leave", options: ["--export=\(export)"])
            _ = try await slurm.start(1)
            #expect(await workers.notes(number + 1).last?.hasSuffix(" a-secret leave") == true)
        }
    }

    @Test(.soakOnly) func `DR-52: a process that resumes a run finds the workers of an earlier process`()
        async throws
    {
        let workers = try await TestWorkers(in: .shared())
        _ = try await workers.slurm().start(2)
        _ = await workers.notes(2)
        let later = try workers.slurm()
        #expect(try await later.tally() == WorkerTally(running: 2))
        let other = try await TestWorkers(in: .shared()).slurm()
        #expect(try await other.tally() == WorkerTally())
        try await other.cancel()
        #expect(try await later.tally() == WorkerTally(running: 2))
        try await later.cancel()
        #expect(Set(await workers.notes(4).suffix(2)) == ["told 1", "told 2"])
    }

    @Test(.soakOnly) func `DR-51: a worker is reported before its time limit ends`() async throws {
        let workers = try await TestWorkers(in: .shared())
        let slurm = try workers.slurm(options: ["--time=1"])
        _ = try await slurm.start(1)
        // Slurm looks at limits every thirty seconds.
        #expect(await workers.notes(2).last == "told 1")
        try await slurm.cancel()
    }

    @Test(.soakOnly) func `DR-51: a node that is drained keeps its worker and gets no other`() async throws {
        let workers = try await TestWorkers(in: .shared())
        let cluster = try await TestCluster.shared()
        let slurm = try workers.slurm(options: ["--partition=pair"])
        _ = try await slurm.start(1)
        let node = try #require(await workers.notes(1).first).split(separator: " ")[3]
        try await cluster.call("scontrol", "update", "NodeName=\(node)", "State=DRAIN", "Reason=test")
        _ = try await slurm.start(3)
        let begun = await workers.notes(4).dropFirst().map { $0.split(separator: " ")[3] }
        #expect(Set(begun).count == 1 && !begun.contains(node))
        #expect(try await slurm.tally() == WorkerTally(running: 4))
        try await cluster.call("scontrol", "update", "NodeName=\(node)", "State=RESUME")
        try await slurm.cancel()
    }

    @Test(.soakOnly) func `DR-53: workers that wait for a machine are reported apart, with the reason`()
        async throws
    {
        let workers = try await TestWorkers(in: .shared())
        let slurm = try workers.slurm(options: ["--begin=now+1hour"])
        _ = try await slurm.start(2)
        let tally = try await slurm.tally()
        #expect(tally.running == 0 && tally.waiting == 2)
        // Behind jobs of other tests it is their turn that is told first.
        #expect(Set(tally.reasons).isSubset(of: ["BeginTime", "Priority", "Resources"]), "\(tally)")
        try await slurm.cancel()
        #expect(try await slurm.tally() == WorkerTally())
        #expect(workers.notes.count == 0)
    }
}
