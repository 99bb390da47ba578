import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TransferState {
    /// Returns the redirect of a response, if it is to be followed; throws if it is forbidden.
    func redirect(_ response: TransferResponse, _ secrets: RequestSecrets) throws -> Fate? {
        guard let status = response.status, [301, 302, 303, 307, 308].contains(status),
            options.redirects.reach != .nowhere, let from = request.url
        else { return nil }
        guard let place = response.value(of: "location") else {
            // A caller that accepts every status receives the response unchanged.
            if options.status.takesAll { return nil }
            throw make(
                .redirectRefused, "the redirect names no place: status \(status) without Location")
        }
        // An empty location would resolve to the same URL.
        guard !place.allSatisfy(\.isWhitespace),
            let target = URL(string: place, relativeTo: from)?.absoluteURL
        else { throw make(.redirectRefused, "the redirect names no place that can be read") }
        try check(target, from: from)
        return try next(target.withoutUser, from: from, status: status, secrets)
    }

    mutating func follow(_ next: URLRequest, keepsBody: Bool) -> TransferEffects {
        redirects += 1
        request = next
        if !keepsBody { body = .none }
        return begin()
    }

    private func check(_ target: URL, from: URL) throws {
        let scheme = target.scheme?.lowercased() ?? ""
        let place = target.withoutSecrets
        guard scheme == "http" || scheme == "https", !(target.host() ?? "").isEmpty,
            options.schemes.contains(scheme)
        else { throw make(.redirectRefused, "no redirect is followed to \(place)") }
        // A redirect to http would expose the request to every observer of the network.
        if from.scheme?.lowercased() == "https", scheme == "http", !options.redirects.allowsInsecure {
            throw make(.redirectRefused, "no redirect is followed from https to \(place)")
        }
        if options.redirects.reach == .origin, target.origin != from.origin {
            throw make(.redirectRefused, "no redirect is followed to another origin, \(place)")
        }
        guard redirects < options.redirects.limit else {
            throw make(.tooManyRedirects, "more than \(options.redirects.limit) redirects")
        }
    }

    private func next(
        _ target: URL, from: URL, status: Int, _ secrets: RequestSecrets
    ) throws -> Fate {
        var next = request
        next.url = target
        let method = request.httpMethod ?? "GET"
        // 303 turns every method but HEAD into GET; 301 and 302 do so only for POST, as browsers do.
        let becomesGet = status == 303 ? method != "HEAD" : status < 303 && method == "POST"
        if target.origin != from.origin {
            options.leaveOutHeaders(of: &next, named: plan.boundHeaders.union(secrets.headers))
            // 307 and 308 repeat the body, which may contain a secret of the first origin.
            if !becomesGet, case .data = body, secrets.isInBody {
                throw make(
                    .redirectRefused,
                    "no redirect is followed to another origin, \(target.withoutSecrets), with a secret in the body"
                )
            }
        }
        guard becomesGet else { return .redirect(next, keepsBody: true) }
        next.httpMethod = "GET"
        // The headers of the body that is no longer sent.
        next.setValue(nil, forHTTPHeaderField: "Content-Type")
        next.setValue(nil, forHTTPHeaderField: "Content-Length")
        return .redirect(next, keepsBody: false)
    }
}
