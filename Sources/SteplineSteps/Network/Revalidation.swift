import Foundation
import SteplinePipeline
import SteplineRequests
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One question to a server whether what is stored has changed.
struct Revalidation: Sendable {
    private let entries: any ResponseEntries
    private let name: String
    private let stored: StoredResponse?
    private let cookies: JarCookies

    /// Makes the plan's request conditional, if an answer to it is stored; nil if it is none that is stored.
    ///
    /// `fileMark` tells whether a file that was downloaded is still the same; nil for a load into memory.
    init?(_ plan: inout TransferPlan, clock: any StepClock, file: String? = nil, fileMark: String? = nil) {
        guard let store = plan.options.revalidation, !plan.hasBody,
            let name = ResponseStore.name(of: plan.request, file: file)
        else { return nil }
        self.name = name
        entries = store.entries
        let cookies = JarCookies(of: plan, clock)
        self.cookies = cookies
        let found = entries[name].flatMap { cookies.mark(behind: $0.place) == $0.jarMark ? $0 : nil }
        stored = file == nil || found?.fileMark != nil && found?.fileMark == fileMark ? found : nil
        guard let stored else { return }
        stored.makeConditional(&plan.request)
        plan.isRevalidating = true
    }

    /// Whether a response says that what is stored still holds.
    func isConfirmed(by response: URLResponse) -> Bool {
        stored != nil && (response as? HTTPURLResponse)?.statusCode == 304
    }

    /// Puts the bytes of a load into the bag: those that came, which are then stored, or those stored before.
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

    /// Puts the response of a download into the bag, and stores what the file now is.
    func store(_ response: URLResponse, fileMark: String?, in bag: inout Content) {
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
                $0, body: body, fileMark: fileMark, jarMark: $0.url.flatMap { cookies.mark(behind: $0) })
        }
    }
}
