import Foundation
import SteplinePipeline
import SteplineRequests
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The revalidation of a stored response with the server.
struct Revalidation: Sendable {
    private let entries: any ResponseEntries
    private let name: String
    private let stored: StoredResponse?
    private let cookies: JarCookies

    /// Makes the plan's request conditional if a response is stored; nil if the request can't be stored.
    ///
    /// `fileMark` identifies the version of a downloaded file; nil for a load into memory.
    init?(_ plan: inout TransferPlan, clock: any StepClock, file: String? = nil, fileMark: String? = nil) {
        guard let store = plan.options.revalidation, !plan.hasBody,
            let name = ResponseStore.name(of: plan.request, file: file)
        else { return nil }
        self.name = name
        entries = store.entries
        let cookies = JarCookies(of: plan, clock)
        self.cookies = cookies
        let found = entries[name].flatMap { cookies.mark(after: $0.place) == $0.jarMark ? $0 : nil }
        stored = file == nil || found?.fileMark != nil && found?.fileMark == fileMark ? found : nil
        guard let stored else { return }
        stored.makeConditional(&plan.request)
        plan.isRevalidating = true
    }

    /// Returns whether a response confirms the stored one.
    func isConfirmed(by response: URLResponse) -> Bool {
        stored != nil && (response as? HTTPURLResponse)?.statusCode == 304
    }

    /// Stores the bytes of a load in the content: the new ones, which are also stored for revalidation, or the stored
    /// ones.
    func store(_ result: TransferResult<Data>, in bag: inout Content) {
        if let http = result.response as? HTTPURLResponse, let stored, isConfirmed(by: http) {
            bag.bodyData = stored.data
            bag[.urlResponse] = stored.response(confirmedBy: http)
            bag[.loadSource] = .store
            return
        }
        bag.bodyData = result.value
        keep(result.response, body: result.value, in: &bag)
    }

    /// Stores the response of a download in the content, and its file's version for revalidation.
    func store(_ received: TransferResponse, fileMark: String?, in bag: inout Content) {
        let response = received.object
        if let http = response as? HTTPURLResponse, let stored, isConfirmed(by: http) {
            bag[.urlResponse] = stored.response(confirmedBy: http)
            bag[.loadSource] = .store
            return
        }
        keep(response, body: Data(), fileMark: fileMark, in: &bag)
    }

    private func keep(_ response: URLResponse, body: Data, fileMark: String? = nil, in bag: inout Content) {
        bag[.urlResponse] = response
        bag[.loadSource] = .network
        let http = response as? HTTPURLResponse
        entries[name] = http.flatMap {
            StoredResponse(
                $0, body: body, fileMark: fileMark, jarMark: $0.url.flatMap { cookies.mark(after: $0) })
        }
    }
}
