import Foundation
import Stepline
import SteplineTesting
import TestSupport
import Testing

// The snippets of "From Task.framework", compiled and run.

private func processImage(_ data: Data, _ tile: Range<Int>) throws -> Data {
    Data(data[tile].reversed())
}

final class ProcessImageTile: WorkflowTask, @unchecked Sendable {
    let data: Data
    let tile: Range<Int>
    init(data: Data, tile: Range<Int>) {
        self.data = data
        self.tile = tile
        super.init(name: "tile \(tile)")
    }
    override func run() async throws -> (any Sendable)? {
        try processImage(data, tile)
    }
}

final class Mapper: Sendable {
    func mapResult(attempt: TaskAttempt) {
        guard let response = attempt.anyPrerequisiteResult as? [String: Int] else {
            attempt.fail()
            return
        }
        attempt.finish(with: response.keys.sorted())
    }
}

final class Watcher: WorkflowDelegate {
    let ends = Recorder<String>()
    func workflowDidFinish(_ workflow: Workflow) { ends.record("\(workflow.name) did finish") }
    func workflow(_ workflow: Workflow, task: WorkflowTask, didFailWith error: (any Error)?) {
        ends.record("\(task.name) did fail")
    }
}

@Suite("From Task.framework", .timeLimit(.minutes(5)))
struct FromTaskFrameworkSnippets {
    private let order = Recorder<String>()

    /// A task that records its name.
    private func task(_ name: String) -> BlockTask {
        let order = order
        return BlockTask(name: name) { attempt in
            order.record(name)
            attempt.finish(with: name)
        }
    }

    @Test("a queue whose operations are all cancelled")
    func cancellingAll() async throws {
        let gate = Gate()
        let taskA = BlockTask(name: "A") { attempt in
            gate.block()
            attempt.finish()
        }
        let queue = OperationQueue()
        let workflow = Workflow("Workflow A", queue: queue)
        try workflow.add(taskA)
        try workflow.start()
        queue.cancelAllOperations()
        workflow.cancel("the user left")
        gate.open()
        await #expect(throws: CancellationError.self) { try await workflow.run() }
        #expect(taskA.isCancelled)
    }

    @Test("workflows of one, two and three tasks")
    func graphs() async throws {
        do {
            let taskA = task("A")
            let workflow = Workflow("Workflow A")
            try workflow.add(taskA)
            try await workflow.run()
        }
        do {
            let (taskA, taskB) = (task("A"), task("B"))
            let workflow = Workflow("Workflow A+B")
            try workflow.add(taskA)
            try workflow.add(taskB, prerequisites: [taskA])
            try await workflow.run()
        }
        #expect(order.values == ["A", "A", "B"])
        do {
            let (taskA, taskB) = (task("A"), task("B"))
            let workflow = Workflow("Workflow AB")
            try workflow.add(taskA)
            try workflow.add(taskB)
            #expect(workflow.tasksWithNoPrerequisites == [taskA, taskB])
            try await workflow.run()
        }
        do {
            let (taskA, taskB, taskC) = (task("A"), task("B"), task("C"))
            let workflow = Workflow("Workflow AB+C")
            try workflow.add(taskA)
            try workflow.add(taskB)
            try workflow.add(taskC, prerequisites: [taskA, taskB])
            try await workflow.run()
            #expect(order.values.last == "C")
        }
        do {
            let (taskA, taskB, taskC) = (task("A"), task("B"), task("C"))
            let workflow = Workflow("Workflow A(B+C)")
            try workflow.add(taskA)
            try workflow.add(taskB)
            try workflow.add(taskC, prerequisites: [taskB])
            try await workflow.run()
            #expect(workflow.dependents(of: taskA) == [] && workflow.dependents(of: taskB) == [taskC])
        }
    }

    @Test("the same with closures")
    func closures() async throws {
        @Sendable func loadNumber() async throws -> Int { 7 }
        @Sendable func loadName() async throws -> String { "seas" }
        let workflow = Workflow("Workflow AB+C")
        let a = try workflow.add("A") { () async throws in try await loadNumber() }
        let b = try workflow.add("B") { () async throws in try await loadName() }
        let c = try workflow.add("C", after: a, b) { number, name in "\(number) \(name)" }
        try await workflow.run()
        #expect(c.result == "7 seas")
    }

    @Test("a subclass")
    func subclass() async throws {
        let workflow = Workflow("tiles"), data = Data([1, 2, 3, 4])
        let left = try workflow.add(ProcessImageTile(data: data, tile: 0..<2))
        let right = try workflow.add(ProcessImageTile(data: data, tile: 2..<4))
        try await workflow.run()
        #expect(left.result as? Data == Data([2, 1]) && right.result as? Data == Data([4, 3]))
    }

    /// Answers at once, on another queue.
    private struct API: Sendable {
        func request(
            success: @escaping @Sendable ([String: Int]) -> Void,
            failure: @escaping @Sendable (any Error) -> Void
        ) {
            DispatchQueue.global().async { success(["b": 1, "a": 2]) }
        }
    }

    @Test("a block, a method, and the result of a prerequisite")
    func blocks() async throws {
        let workflow = Workflow("mapping"), api = API(), mapper = Mapper()
        let request = BlockTask(name: "Block Task") { attempt in
            api.request { response in
                attempt.finish(with: response)
            } failure: { error in
                attempt.fail(with: error)
            }
        }
        try workflow.add(request)
        let mapping = MethodTask(name: "Selector Task", target: mapper, method: Mapper.mapResult)
        try workflow.add(mapping, prerequisites: [request])
        let response = try TaskRef(request, as: [String: Int].self)
        let names = try workflow.add("map", after: response) { response in response.keys.sorted() }
        try await workflow.run()
        #expect(mapping.result as? [String] == ["a", "b"] && names.result == ["a", "b"])
    }

    @Test("a condition, and messages")
    func condition() async throws {
        let workflow = Workflow("condition"), upload = task("upload"), userSuppliedData = "data"
        let dataTask = ExternalConditionTask(name: "dataTask")
        try workflow.add(dataTask)
        try workflow.add(upload, prerequisites: [dataTask])
        try workflow.start()
        dataTask.fulfill(with: userSuppliedData)
        try await workflow.run()
        #expect(order.values == ["upload"] && dataTask.result as? String == "data")
        do {
            workflow.reset()
            try workflow.start()
            upload.cancel("the user left")
            #expect(upload.isCancelled)
            upload.retry()
            #expect(upload.isPending)
            workflow.reset()
            await eventually { dataTask.isReady }
            #expect(!dataTask.isFulfilled)
        }
    }

    struct Photo: Sendable {}

    @Test("a typed condition")
    func typedCondition() async throws {
        let workflow = Workflow("photo"), picture = Photo()
        let photo = try workflow.addCondition("photo", of: Photo.self)
        photo.fulfill(with: picture)
        try await workflow.run()
        #expect(photo.result != nil)
    }

    @Test("a workflow in another")
    func subworkflow() async throws {
        let filterWorkflow = Workflow("filters"), uploadImage = task("upload")
        try filterWorkflow.add(task("sepia"))
        let imageWorkflow = Workflow("Upload Image")
        let imageAvailable = try imageWorkflow.add(ExternalConditionTask(name: "image available"))
        let filter = try imageWorkflow.add(
            SubworkflowTask(name: "filter", subworkflow: filterWorkflow), prerequisites: [imageAvailable])
        try imageWorkflow.add(uploadImage, prerequisites: [filter])
        imageAvailable.fulfill()
        try await imageWorkflow.run()
        #expect(order.values == ["sepia", "upload"])
    }

    @Test("a delegate, and the four messages as the page writes them")
    func reported() async throws {
        let workflow = Workflow("told"), watcher = Watcher(), upload = task("upload")
        try workflow.add(upload)
        workflow.delegate = watcher
        try await workflow.run()
        #expect(watcher.ends.values == ["told did finish"])
        /// Compiled only: it reads until the workflow is gone.
        func watch() async {
            workflow.delegate = watcher
            for await event in workflow.events { print(event) }
        }
        do {
            try workflow.start()
            upload.cancel("the user left")
            upload.retry()
            workflow.reset()
        }
        // Another thread may still report the earlier events, and then reports the reset as well.
        await eventually { upload.isReady }
    }
}
