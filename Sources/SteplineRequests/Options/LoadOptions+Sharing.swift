extension LoadOptions {
    /// The values that two loads must share to have the same result; the request contains the headers by then.
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
        /// The cookie jar; nil for an empty default jar, which each run has at its begin.
        let cookies: ObjectIdentifier?
    }

    var sharingKey: SharingKey {
        // Two runs have different jars: only non-empty jars can lead to different responses.
        let jar = cookies.storage.flatMap { cookies.isDefault && $0.isEmpty ? nil : $0 }
        return SharingKey(
            status: status.identity, redirects: redirects, schemes: schemes, contentTypes: contentTypes,
            sizeLimit: mostBytes, totalTimeout: totalTimeout,
            store: revalidation.map { ObjectIdentifier($0.entries) }, sensitiveHeaders: sensitiveHeaders,
            tls: tls, cookies: jar.map(ObjectIdentifier.init))
    }
}
