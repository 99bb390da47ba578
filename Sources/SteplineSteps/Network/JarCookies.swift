import Foundation
import SteplineRequests
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The cookies of a jar for a request, since another user's response may have the same validator.
struct JarCookies: Sendable {
    private let storage: CookieStorage?
    private let url: URL?
    private let header: String?
    private let clock: any StepClock

    init(of plan: TransferPlan, _ clock: any StepClock) {
        storage = plan.options.cookies.storage
        url = plan.request.url
        self.clock = clock
        header = storage?.knownHeader(for: plan.request.url, at: clock.now)
    }

    /// Returns a text that identifies these cookies and those for a redirect's target.
    func mark(after place: URL) -> String? {
        let there = place == url ? nil : storage?.knownHeader(for: place, at: clock.now)
        return ResponseStore.mark(ofCookies: [header, there])
    }
}
