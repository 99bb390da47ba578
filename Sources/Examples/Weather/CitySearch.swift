import Foundation
import Stepline

/// The search field's model: what was asked last is what is shown, however the answers come.
///
/// Everything happens on one queue, the main one of an app for example. A new search cancels the one before, and
/// as no callback of a cancelled pipeline starts, an old answer can't show.
final class CitySearch: @unchecked Sendable {  // used on its queue alone
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
    /// Why there are no matches.
    private(set) var problem: String?

    /// `onChange` is called on the queue, whenever there is something else to show.
    init(
        service: WeatherService, queue: DispatchQueue,
        onChange: @escaping @Sendable (CitySearch) -> Void
    ) {
        self.service = service
        self.queue = queue
        self.onChange = onChange
    }

    /// Begins a search, and forgets the one before.
    ///
    /// To be called on the queue.
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

/// Loads the pages of all cities at once.
///
/// A city whose page can't be had is listed without one.
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
