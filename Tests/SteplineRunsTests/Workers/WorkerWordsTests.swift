import Foundation
import SteplinePostgreSQL
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestProcesses
import TestSupport
import Testing

@testable import SteplineRuns

/// A program whose runs may be on a server.
private struct Pages: DurableWorkflow {
    static let stores: [RunStoreKind] = [.postgreSQL, .file]

    static func build(_ workflow: Workflow, _ input: NoInput) throws { try workflow.add("a") { 1 } }
}

@Suite("Options of run for workers", .timeLimit(.minutes(5)))
struct WorkerWordsTests {
    private func words(_ text: String...) throws -> WorkerWords? {
        try WorkerWords(ProgramWords(["run", "--key", "k"] + text))
    }

    private func complaint(_ text: String...) -> String {
        do {
            let words = try WorkerWords(ProgramWords(["run", "--key", "k"] + text))
            return "no complaint but \(String(describing: words))"
        } catch {
            return "\(error)"
        }
    }

    @Test("DR-50, DR-53: a number or a range of workers, and sbatch's own options behind --")
    func understood() throws {
        #expect(try words() == nil)
        let fixed = try words("--on", "slurm", "--workers", "8")
        #expect(fixed?.bounds == 8...8 && fixed?.options == [])
        let range = try words("--on=slurm", "--workers=2..40", "--", "--partition=long", "-t4:00:00")
        #expect(range?.bounds == 2...40 && range?.options == ["--partition=long", "-t4:00:00"])
    }

    @Test("DR-50: invalid options are reported")
    func mistakes() {
        #expect(
            complaint("--on", "kubernetes", "--workers", "2")
                == "--on expects slurm or workers, got 'kubernetes'")
        #expect(complaint("--on", "slurm").hasPrefix("--workers is missing"))
        #expect(complaint("--workers", "2").hasPrefix("--workers requires --on slurm"))
        for count in [
            "0", "", "-1", "2..", "..3", "3..2", "1..2..3", "two", "9999999999999999999999", "1.5", "٣",
        ] {
            #expect(
                complaint("--on", "slurm", "--workers", count).hasPrefix("--workers expects a number"),
                "\(count)")
        }
    }

    @Test(
        "DR-50: options that would undo what is asked for are refused",
        arguments: [
            "--array=1-3", "--arr=3", "-a3", "--job-name=x", "-Jx", "--wrap=ls", "--wait", "-W",
            "--test-only",
            "--clusters=all", "--export", "--exp=NONE", "-Mall", "-M\u{301}", "--wrap=\u{301}", "long", "--",
            "-", "x\0y",
        ])
    func refused(word: String) {
        #expect(throws: RunsError.self) { try SlurmOptions(["--partition=a", word]) }
    }

    @Test(
        "DR-50: other options are passed on as they are, with the store's variable",
        arguments: [
            ([], ["--export=ALL,S"]),
            (["--wait-all-nodes=1", "-pa b"], ["--export=ALL,S", "--wait-all-nodes=1", "-pa b"]),
            (["--export=NONE", "--mem=1G"], ["--export=S", "--mem=1G"]),
            (["--export=A,B=c"], ["--export=A,B=c,S"]), (["--export=\u{301}"], ["--export=\u{301},S"]),
        ])
    func passedOn(words: [String], expected: [String]) throws {
        #expect(try SlurmOptions(words).words(exporting: ["S"]) == expected)
    }

    private func starter(_ store: String) throws -> SlurmWorkers? {
        try words("--on", "slurm", "--workers", "2")?.starter(
            of: RunID("pages, and more", key: "k"), at: RunStorePlace(store, of: [.postgreSQL, .file]),
            command: ["pages", "work"], environment: [:], clock: .system)
    }

    @Test("DR-50: a store that one machine keeps is refused, with the reason")
    func oneMachine() throws {
        let error = #expect(throws: RunsError.self) { _ = try starter("pages.runs") }
        #expect(
            error?.isUsage == true
                && error?.description.hasPrefix("pages.runs is a store of one machine") == true)
        let first = try starter("postgresql://u:hush@h/d")
        #expect(first?.name.wholeMatch(of: /pages__and_more-[0-9a-f]{12}/) != nil)
        // The password is no part of it, and may be another one next time.
        #expect(try starter("postgresql://u:other@h/d")?.name == first?.name)
        #expect(try starter("postgresql://u:hush@h/e")?.name != first?.name)
    }

    @Test("DR-50: run refuses such a store and mistakes before it opens anything, with 2")
    func program() async throws {
        let folder = try TestFolder()
        func run(_ words: String...) async -> (code: Int32, said: String) {
            let said = Recorder<String>()
            let output = ProgramOutput(environment: ["STEPLINE_STORE": folder.path("pages.runs")]) {
                said.record($0)
            } complain: {
                said.record($0)
            }
            let code = await DurableProgram(Pages.self, called: "pages", output).run(
                ["run", "--key", "k"] + words)
            return (code, said.values.joined())
        }
        let file = await run("--on", "slurm", "--workers", "2", "--", "--time=1:00")
        #expect(file.code == 2 && file.said.contains("workers under Slurm require a server"), "\(file.said)")
        let word = await run("more", "--on", "slurm", "--workers", "2", "--", "--time=1:00")
        #expect(word.code == 2 && word.said.contains("unexpected argument 'more'"), "\(word.said)")
        let alone = await run("--", "--time=1:00")
        #expect(alone.code == 2 && alone.said.contains("unexpected argument '--time=1:00'"), "\(alone.said)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("pages.runs")))
        let finished = await run()
        #expect(finished.code == 0, "\(finished.said)")
    }

    @Test("DR-50: sbatch, squeue and scancel are called with words, and the store's URL is in none of them")
    func calls() async throws {
        let folder = try TestFolder()
        for (name, answer) in [
            ("sbatch", "12;here"), ("squeue", "RUNNING|None\nPENDING|Priority"), ("scancel", ""),
        ] {
            // One word a line, and the script behind them.
            let script = """
                #!/bin/sh
                { echo "$0 $STEPLINE_STORE"; printf '<%s>\\n' "$@"; cat; } >"\(folder.path(name)).log"
                echo '\(answer)'
                """
            try TestProcess.write(script, to: folder.path(name))
        }
        let slurm = try SlurmWorkers(
            of: RunID("pages", key: "k"), store: "s", command: ["./pages", "work it", "$(ls)"],
            options: ["--mem=1G"], variables: ["STEPLINE_STORE": "postgresql://u:hush@h/d"],
            environment: ["PATH": "\(folder.url.path):/usr/bin:/bin"], clock: .system)
        #expect(try await slurm.start(2) == "started 2 workers as Slurm's jobs 12_1 to 12_2")
        #expect(try await slurm.tally() == WorkerTally(running: 1, waiting: 1, reasons: ["Priority"]))
        try await slurm.cancel()
        let sbatch = try String(contentsOfFile: folder.path("sbatch.log"), encoding: .utf8).filledLines
        #expect(sbatch.first?.hasSuffix("/sbatch postgresql://u:hush@h/d") == true)
        #expect(
            sbatch.dropFirst() == [
                "<--requeue>", "<--signal=B:TERM@60>", "<--open-mode=append>",
                "<--export=ALL,STEPLINE_STORE>",
                "<--mem=1G>", "<--parsable>", "<--parsable>", "<--array=1-2>",
                "<--job-name=\(slurm.name)>", "</dev/stdin>", "<./pages>", "<work it>", "<$(ls)>",
                "#!/bin/sh",
                "exec \"$@\"",
            ])
        let others = try ["squeue", "scancel"].map {
            try String(contentsOfFile: folder.path("\($0).log"), encoding: .utf8)
        }
        #expect(others.allSatisfy { $0.contains("<--name=\(slurm.name)>") && !$0.contains("hush") })
    }

    @Test(
        "DR-50: a missing Slurm is reported; an unexpected answer is shown without secrets"
    )
    func failures() async throws {
        let folder = try TestFolder()
        let slurm = try SlurmWorkers(
            of: RunID("pages", key: "k"), store: "s", command: ["pages"], options: [], variables: [:],
            environment: ["PATH": folder.url.path], clock: .system)
        let missing = await #expect(throws: SlurmError.self) { _ = try await slurm.start(1) }
        #expect(
            missing?.code == .missing && missing?.description.hasPrefix("there is no sbatch in PATH") == true)
        func answer(_ script: String) async throws -> SlurmError? {
            try TestProcess.write("#!/bin/sh\n\(script)\n", to: folder.path("sbatch"))
            return await #expect(throws: SlurmError.self) { _ = try await slurm.start(1) }
        }
        let odd = try await answer("echo hello")
        #expect(odd?.code == .unreadable && odd?.description.contains("hello") == true, "\(odd as Any)")
        let refused = try await answer(
            "echo 'sbatch: error: no' >&2; echo 'sbatch: error: at postgresql://u:hush@h/d' >&2; exit 1")
        #expect(refused?.code == .refused, "\(refused as Any)")
        #expect(
            refused?.description.hasPrefix("sbatch refused: no; at postgresql") == true, "\(refused as Any)")
        #expect(refused?.description.contains("hush") == false, "\(refused as Any)")
        let away = try await answer(
            "echo 'sbatch: error: Batch job submission failed: Unable to contact slurm controller' >&2; exit 1"
        )
        #expect(away?.code == .unreachable, "\(away as Any)")
    }

    @Test("DR-50: one of Slurm's programs that doesn't end is ended")
    func endless() async throws {
        let folder = try TestFolder()
        try TestProcess.write("#!/bin/sh\nexec /bin/sleep 1000\n", to: folder.path("squeue"))
        let clock = ManualClock()
        let slurm = try SlurmWorkers(
            of: RunID("pages", key: "k"), store: "s", command: ["pages"], options: [], variables: [:],
            environment: ["PATH": folder.url.path], clock: clock)
        async let tally = slurm.tally()
        await clock.waitForScheduled(after: SlurmCommands.timeLimit)
        clock.advance(by: SlurmCommands.timeLimit)
        do { #expect(try await tally == WorkerTally(running: -1), "it doesn't end") } catch let error
            as SlurmError
        {
            #expect(error.code == .unreachable && error.description.contains("took longer than"))
        }
    }
}
