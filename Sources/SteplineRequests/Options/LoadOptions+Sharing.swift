extension LoadOptions {
    /// What must be equal for two loads to come to the same; the headers are the request's by then.
    struct SharingKey: Hashable, Sendable {
        let status: StatusPolicy.Identity
        let redirects: RedirectPolicy
        let schemes: Set<String>
        let contentTypes: Set<String>
        let sizeLimit: Int
        let totalTimeout: Duration
        let store: ObjectIdentifier?
    }

    var sharingKey: SharingKey {
        SharingKey(
            status: status.identity, redirects: redirects, schemes: schemes, contentTypes: contentTypes,
            sizeLimit: sizeLimit, totalTimeout: totalTimeout,
            store: revalidation.map { ObjectIdentifier($0.entries) })
    }
}
