import Foundation
import Stepline

/// The model of a search field, which shows the results of the latest search only.
///
/// All calls happen on one queue, for example the main queue of an app. A new search cancels the previous one. A
/// cancelled pipeline calls no callback, so an old result can't appear.
final class CitySearch: @unchecked Sendable {  // used only on its queue
    struct Match: Sendable, Equatable {
        let city: City
        let page: WeatherPage?

        /// `Paris (FR) 8°`.
        var title: String { [city.title, page?.degrees].compactMap(\.self).joined(separator: " ") }
    }

    private let service: WeatherService
    private let queue: DispatchQueue
    private let onChange: @Sendable (CitySearch) -> Void
    private var current: AnyPipeline?

    private(set) var matches: [Match] = []
    /// The reason why there are no matches.
    private(set) var problem: String?

    /// Makes a model; `onChange` is called on the queue after each change.
    init(
        service: WeatherService, queue: DispatchQueue,
        onChange: @escaping @Sendable (CitySearch) -> Void
    ) {
        self.service = service
        self.queue = queue
        self.onChange = onChange
    }

    /// Starts a search, and cancels the previous one.
    ///
    /// Call it on the queue.
    func search(_ name: String) throws {
        current?.cancel()
        let pipeline = Pipeline("search", options: service.options) {
            service.cities(named: name)
            LoadPages(service: service)
        }
        pipeline.onSuccess(on: queue, for: self) { [weak self] matches in
            self?.show(matches, problem: nil)
        }
        pipeline.onFailure(on: queue, for: self) { [weak self] error in
            self?.show([], problem: "\(error)")
        }
        current = pipeline
        try pipeline.start()
    }

    private func show(_ matches: [Match], problem: String?) {
        self.matches = matches
        self.problem = problem
        onChange(self)
    }
}

/// Loads the pages of all cities concurrently.
///
/// A city whose page can't be loaded is listed without one.
private final class LoadPages: AsyncStep<[City], [CitySearch.Match]>, @unchecked Sendable {
    private let service: WeatherService

    init(service: WeatherService) {
        self.service = service
        super.init()
    }

    override func makeCopy() -> any Step {
        let copy = LoadPages(service: service)
        copy.takeOptions(of: self)
        return copy
    }

    override func process(_ cities: [City]) async throws -> [CitySearch.Match] {
        await withTaskGroup(of: (Int, WeatherPage?).self) { group in
            for (place, city) in cities.enumerated() {
                group.addTask { [service] in
                    var content = Content()
                    content.bodyObject = city
                    let page = Pipeline("page", content: content, options: service.options) { service.page() }
                    return (place, try? await page.run())
                }
            }
            var pages: [Int: WeatherPage] = [:]
            for await (place, page) in group { pages[place] = page }
            return cities.enumerated().map { CitySearch.Match(city: $1, page: pages[$0]) }
        }
    }
}
