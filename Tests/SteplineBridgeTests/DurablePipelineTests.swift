import Foundation
import Stepline
import SteplineRuns
import SteplineTesting
import TestSupport
import Testing

@Suite("Pipelines in durable runs", .timeLimit(.minutes(5)))
struct DurablePipelineTests {
    @Test("DR-3, DR-22: a pipeline is a step, and is run again when a file that it has saved is gone")
    func files() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "saved")
        let loads = Recorder<Int>()
        func make() throws -> Workflow {
            let workflow = Workflow("durable")
            let save = PipelineTask(name: "save", output: .bodyData) {
                Pipeline {
                    BlockStep(from: .nothing, to: .bodyData) {
                        loads.record(1)
                        return Data("text".utf8)
                    }
                    FileSaveStep(file)
                }
            }
            #expect(save.produces == [file])
            try workflow.add(save)
            try workflow.add("size", after: TaskRef<Data>(save)) { $0.count }
            return workflow
        }
        let store: any RunStore = .memory()
        try await make().run(in: store, key: "k")
        let again = try await make().run(in: store, key: "k")
        #expect(again.executed == [] && loads.count == 1)
        try FileManager.default.removeItem(at: file)
        let gone = try await make().run(in: store, key: "k")
        #expect(gone.executed == ["save", "size"] && loads.count == 2)
        #expect(try folder.names() == ["saved"])
    }

    @Test("DR-22: steps that write files report their paths, and so do their copies")
    func produces() throws {
        let file = URL(filePath: "/tmp/made")
        let source = URL(filePath: "/tmp/source")
        let steps: [any Step] = [
            FileSaveStep(file), URLDownloadStep(source, to: file),
            CSVSaveStep<[String: String]>(file), JSONLinesSaveStep<Int>(file),
            JSONRewriteStep<Void, JSON>(source, to: file) { $0 }, JSONRewriteStep<URL, JSON>(to: file) { $0 },
        ]
        for step in steps {
            let copy = try step.makeCopy()
            #expect(step.produces == [file] && copy.produces == [file])
        }
    }
}
