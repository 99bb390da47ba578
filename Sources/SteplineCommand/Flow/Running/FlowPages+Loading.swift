import Foundation
import SteplineJSON
import SteplineRequests
import SteplineSteps

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension FlowPages {
    /// The default limits of pages and of bytes of all pages.
    static let standardMost = 1000
    static let standardLimit = 256 << 20

    /// Loads all pages and returns the list of all records.
    func run(
        in scope: FlowScope, lineWatch: @escaping @Sendable (Bool) -> Void
    ) async throws -> FlowValue {
        var request = try load.request(scope)
        if case .parameter(let parameter) = next { request = parameter.first(request) }
        let limit = load.limit ?? Self.standardLimit
        var options = load.loadOptions(scope.setting)
        // Cookies of a page apply to the next one.
        if scope.setting.connections.cookies == nil { options.cookies = .memory() }
        options.schemes = ["http", "https"]
        options.sizeLimit = limit
        options.lineWatch = lineWatch
        let pages = URLPages(
            request, next: place(scope), maximumPages: most ?? Self.standardMost,
            options: options, clock: scope.setting.clock)
        var records: [JSON] = []
        var size = 0
        for try await page in pages {
            size += page.data.count
            guard size <= limit else { throw FlowError("the pages have more than \(limit) bytes") }
            records += try found(on: page, scope.setting)
        }
        return .json(try JSON(elements: records))
    }

    private func place(_ scope: FlowScope) -> NextPage {
        let setting = scope.setting
        if case .parameter(let parameter) = next {
            return .found(by: { page in
                let count = try found(on: page, setting).count
                return try parameter.next(after: page, records: count, setting)
            })
        }
        guard case .found(let query) = next else { return .link }
        return .found(by: { page in
            let value = try query.first(in: .json(try content(of: page)), setting)
            guard let value, !value.isNull else { return nil }
            guard let place = value.string else {
                throw FlowError(
                    "page \(page.number): \(query.text) is \(value.article), no URL")
            }
            return place.isEmpty ? nil : try page.request(to: place)
        })
    }

    private func content(of page: URLPage) throws -> JSON {
        do {
            return try JSON(parsing: page.data)
        } catch {
            throw FlowError("page \(page.number) is no JSON: \(ErrorText.line(error))")
        }
    }

    private func found(on page: URLPage, _ setting: FlowSetting) throws -> [JSON] {
        let content = try content(of: page)
        if let records {
            let budget = ExpressionBudget(input: .json(content))
            return try records.all(in: .json(content), setting, budget).array ?? []
        }
        guard let elements = content.array else {
            throw FlowError(
                "page \(page.number) is \(content.article), no list; set at to its records")
        }
        return elements
    }
}
