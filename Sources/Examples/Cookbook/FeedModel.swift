import Foundation
import Observation
import Stepline

#if canImport(SwiftUI)
    import SwiftUI
#endif

/// The model of a feed view; notifies the view of each change on the main actor.
@MainActor @Observable final class FeedModel {
    private(set) var titles: [String] = []
    private(set) var problem: String?

    func load(_ url: URL) async {
        problem = nil
        do {
            let feed = try await Pipeline.run {
                URLLoadStep(url).retrying(.exponential())
                FeedStep()
            }
            titles = feed.items.compactMap(\.title)
        } catch is CancellationError {
            // The view has disappeared, or shows another feed.
        } catch {
            problem = "The feed can't be had."
        }
    }
}

#if canImport(SwiftUI)
    struct FeedView: View {
        let url: URL
        @State private var model = FeedModel()

        var body: some View {
            List(model.titles, id: \.self) { Text($0) }
                .overlay { if let problem = model.problem { Text(problem) } }
                .task(id: url) { await model.load(url) }
        }
    }
#endif
