import Foundation
import Stepline

/// Follows a run by its events, asks why it waits, and draws it as a page.
enum WatchARun {
    static func run(picture: URL, print: Print) async throws {
        let workflow = Workflow("backup", options: .init(keptAttempts: 8))
        let disk = try workflow.addCondition("disk", of: String.self)
        let files = try workflow.add("files", after: disk) { disk in ["\(disk)/a", "\(disk)/b"] }
        try workflow.add("copy", after: files) { files in files.count }

        let events = workflow.events
        try workflow.start()
        for await event in events {
            print("\(event)")
            if case .settled = event.kind { break }
            guard event.kind == .started, event.task == disk.task.taskID else { continue }
            for reason in workflow.explain() { print("  \(reason)") }
            disk.fulfill(with: "tape")
        }
        print("critical path: \(workflow.report().criticalPath.map(\.name).joined(separator: ", "))")
        try workflow.picture(as: .html).write(to: picture, atomically: true, encoding: .utf8)
    }
}
