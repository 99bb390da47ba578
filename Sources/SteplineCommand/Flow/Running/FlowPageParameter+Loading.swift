import Foundation
import SteplineJSON
import SteplineSteps

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension FlowPageParameter {
    /// Returns the request for the first page; sets a counted parameter to its first number.
    func first(_ request: URLRequest) -> URLRequest {
        guard case .counted(let from, _) = value else { return request }
        return with("\(from)", request)
    }

    /// Returns the request for the next page; nil after the last one.
    func next(after page: URLPage, records: Int, _ setting: FlowSetting) throws -> URLRequest? {
        let content = FlowValue.json(try JSON(parsing: page.data))
        if let more {
            let verdict = try more.first(in: content, setting) ?? false
            guard let continues = verdict.isNull ? false : verdict.bool else {
                throw FlowError(
                    "page \(page.number): \(more.text) is \(verdict.article), not true or false"
                )
            }
            guard continues else { return nil }
        }
        switch value {
        case .counted(let from, let step):
            guard more != nil || records > 0 else { return nil }
            return with("\(from + page.number * step)", page.request)
        case .found(let query):
            guard let found = try query.first(in: content, setting), !found.isNull, found.bool != false
            else { return nil }
            guard let text = found.asText else {
                throw FlowError(
                    "page \(page.number): \(query.text) is \(found.article), no text or number")
            }
            return text.isEmpty ? nil : with(text, page.request)
        }
    }

    /// Returns the request with a new value of the parameter.
    private func with(_ value: String, _ request: URLRequest) -> URLRequest {
        guard let url = request.url, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            return request
        }
        let others = (parts.percentEncodedQuery ?? "").split(separator: "&").filter { part in
            let own = part.prefix { $0 != "=" }
            return String(own).removingPercentEncoding != name
        }
        let own = "\(FlowAddress.encoded(name))=\(FlowAddress.encoded(value))"
        parts.percentEncodedQuery = (others.map(String.init) + [own]).joined(separator: "&")
        var request = request
        request.url = parts.url
        return request
    }
}
