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
        let sensitiveHeaders: Set<String>
        let tls: TLSOptions
        /// Nil for a jar that holds nothing, as each run has at first.
        let cookies: ObjectIdentifier?
    }

    var sharingKey: SharingKey {
        let jar = cookies.storage.flatMap { cookies.isDefault && $0.isEmpty ? nil : $0 }
        return SharingKey(
            status: status.identity, redirects: redirects, schemes: schemes, contentTypes: contentTypes,
            sizeLimit: mostBytes, totalTimeout: totalTimeout,
            store: revalidation.map { ObjectIdentifier($0.entries) }, sensitiveHeaders: sensitiveHeaders,
            tls: tls, cookies: jar.map(ObjectIdentifier.init))
    }
}
