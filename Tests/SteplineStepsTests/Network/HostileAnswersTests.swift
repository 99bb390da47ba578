import Foundation
import HostileAnswers
import Stepline
import SteplineTesting
import TestSupport
import Testing

#if os(Linux)
    /// Every line of an answer cut, doubled, too long, out of order, and what else a server may do to who asks.
    @Suite("More than 150 hostile answers", .timeLimit(.minutes(5)), .enabled(if: isOverCurl))
    struct HostileAnswersTests {
        @Test(
            "PL-80, PL-81: each hostile answer ends in time, complete or in a typed error, and leaves nothing"
        )
        func all() async {
            #expect(HostileAnswer.all.count >= 150)
            #expect(Set(HostileAnswer.all.map(\.name)).count == HostileAnswer.all.count)
            // In a process of its own, whose threads and sockets can be counted.
            let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                let faults = try await HostileRun().faults()
                for fault in faults { FileHandle.standardOutput.write(Data((fault + "\n").utf8)) }
                try #require(faults.isEmpty)
            }
            #expect(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self) == "")
        }
    }

    /// Loads and downloads all hostile answers, with good ones beside them.
    private struct HostileRun {
        private let server: LoopbackServer
        private let folder: TemporaryFolder

        init() throws {
            server = try LoopbackServer()
            folder = try TemporaryFolder()
        }

        private func limits(_ options: inout LoadOptions) {
            options.idleTimeout = .milliseconds(300)
            options.totalTimeout = .seconds(1)
            options.sizeLimit = 1 << 20
        }

        /// The answers with an unexpected result.
        func faults() async throws -> [String] {
            server.route("/good", .pattern(count: 3000))
            _ = try await run(URLLoadStep(server.url("/good")))
            let before = try Left()
            let faults = await withTaskGroup(of: [String].self) { group in
                for (number, answer) in HostileAnswer.all.enumerated() {
                    let url = server.route(answer, number: number)
                    group.addTask { await check(answer, at: url, number) }
                }
                return await group.reduce(into: []) { $0 += $1 }
            }
            return try faults + left(since: before)
        }

        private func check(_ answer: HostileAnswer, at url: URL, _ number: Int) async -> [String] {
            let file = folder["\(number)"]
            var download = DownloadOptions()
            // A complete answer has no limit of time beside the others.
            let isBounded = if case .success = answer.end { false } else { true }
            if isBounded { limits(&download.load) }
            let ends = [
                await end {
                    let step = URLLoadStep(url, options: options { if isBounded { limits(&$0) } })
                    return try await run(step).bodyData
                },
                await end {
                    _ = try await run(URLDownloadStep(url, to: file, options: download))
                    defer { try? FileManager.default.removeItem(at: file) }
                    return try Data(contentsOf: file)
                },
            ]
            var faults: [String] = []
            for end in ends {
                switch (answer.end, end) {
                case (.failure, .success(let data)):
                    faults.append("\(answer.name): a success, \(data.count) bytes")
                case (.success(let text), .success(let data)) where data != Data(text.utf8):
                    faults.append("\(answer.name): \(data.count) bytes that aren't those sent")
                case (.success, .failure(let error)): faults.append("\(answer.name): \(error)")
                case (_, .failure(let error)) where !(error is RequestError):
                    faults.append("\(answer.name): no typed error, \(error)")
                default: break
                }
            }
            let good = try? await run(URLLoadStep(server.url("/good"))).bodyData
            if good != pattern(3000) { faults.append("\(answer.name): harms others") }
            return faults
        }

        private func end(_ load: () async throws -> Data?) async -> Result<Data, any Error> {
            do {
                return .success(try await load() ?? Data())
            } catch {
                return .failure((error as? PipelineError)?.underlying(as: RequestError.self) ?? error)
            }
        }

        private func left(since before: Left) throws -> [String] {
            let after = try Left()
            var faults: [String] = []
            let files = try folder.names()
            if !files.isEmpty { faults.append("files are left: \(files)") }
            // How many threads and sockets are kept depends on the machine.
            guard Chance.isSoak else { return faults }
            // Connections that may be used again are kept, as many as there may be to one host.
            if after.sockets > before.sockets + 12 {
                faults.append("\(after.sockets) sockets, before \(before.sockets)")
            }
            if after.threads > before.threads + 24 {
                faults.append("\(after.threads) threads, before \(before.threads)")
            }
            return faults
        }
    }

    /// The open descriptors and threads of a process.
    private struct Left {
        let sockets: Int
        let threads: Int

        init() throws {
            let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            sockets =
                files.filter { name in
                    let target = try? FileManager.default.destinationOfSymbolicLink(
                        atPath: "/proc/self/fd/\(name)")
                    return target?.hasPrefix("socket:") ?? false
                }.count
            threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
        }
    }
#endif
