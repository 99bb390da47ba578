import Foundation
import SteplineJSON
import SteplineRuns
import SteplineSupport
import SteplineTesting
import SteplineWorkflow

/// The workflow whose runs the stores under `Fixtures/stores` hold.
///
/// The names, types and prerequisites of its tasks are those that the stores keep: a change here makes tasks run again.
struct OldWorkflow {
    struct Page: Codable, Sendable, Equatable {
        var title: String
        var date: Date
        var size: Double?
    }

    static let name = "mirror"

    /// A result that is larger than what a row holds.
    static let large = Data(repeating: UInt8(ascii: "b"), count: 65_537)

    /// The name of its file beside a store: its SHA-256.
    static let nameOfLarge = "00056d4dbd0981b55e459d5b86bd544d5871ca666787e16992d56df358d1ea07"

    static let paths = ["/a", "/b", "/c"]

    static let page = Page(
        title: "é\n", date: Date(timeIntervalSinceReferenceDate: 789_000_000.25), size: .nan)

    let workflow = Workflow(name)
    /// Counts which bodies run.
    let bodies = Recorder<String>()
    let pages: TaskRef<[Int]>
    let total: TaskRef<Int>

    init() throws {
        let bodies = bodies
        @Sendable func body<Value>(_ name: String, _ value: Value) throws -> Value {
            bodies.record(name)
            return value
        }
        let index = try workflow.add("index") { try body("index", Self.paths) }
        pages = try workflow.map(
            "page", over: index,
            options: TaskOptions(retry: .constant(attempts: 3, delay: .seconds(30), when: { _ in true })),
            key: { $0 }
        ) { path in try body("page[\(path)]", path.utf8.count) }
        let approved = try workflow.addCondition("approved", of: Bool.self)
        total = try workflow.add("total", after: pages, approved) { sizes, isApproved in
            try body("total", isApproved ? sizes.reduce(0, +) : 0)
        }
        try workflow.add("summary", after: index, options: .cached(for: .seconds(3_000_000_000))) {
            try body("summary", $0.joined(separator: " "))
        }
        try workflow.add("title") { try body("title", "Übersicht") }
        try workflow.add("bytes") { try body("bytes", Data([0, 255])) }
        try workflow.add("nothing") { try body("nothing", ()) }
        try workflow.add("json") { try body("json", try JSON(parsing: #"{"b":1,"a":[2.50]}"#)) }
        try workflow.add("none") { try body("none", Int?.none) }
        try workflow.add("record") { try body("record", [Self.page]) }
        try workflow.add("large") { try body("large", Self.large) }
    }

    /// Returns the result of a task of that name; nil if there is none.
    func result(of task: String) -> (any Sendable)? {
        workflow.allTasks.first { $0.name == task }?.result
    }
}
