import Foundation
import Stepline

/// Draws a progress bar; on a terminal `draw` overwrites the previous one.
enum ShowProgress {
    static func run(_ urls: [URL], draw: Print) async throws {
        let workflow = Workflow("download")
        let sizes = try workflow.map("file", over: urls, limit: 4) {
            try await Pipeline.loading($0).run().count
        }

        let events = workflow.events
        async let report = workflow.run()
        var done = 0
        for await event in events {
            if case .settled = event.kind { break }
            guard case .finished = event.kind, event.task != sizes.task.taskID else { continue }
            done += 1
            draw(bar(done, of: urls.count))
        }
        _ = try await report
    }

    private static func bar(_ done: Int, of total: Int) -> String {
        let filled = 20 * done / total
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 20 - filled)
        return "[\(bar)] \(done) of \(total)"
    }
}
