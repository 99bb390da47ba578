import SteplineRequests

/// The network settings that all loads of a workflow share.
struct FlowNetwork: Sendable {
    enum Cookies: Sendable {
        /// Cookies in memory, for the duration of the run.
        case ofRun
        case file(FlowPath)
    }

    var cookies: Cookies?
    var cache: FlowPath?
    /// The largest number of requests per second to each host.
    var rate: Double?
    /// The largest number of connections to each host.
    var connections: Int?
    var authorities: FlowPath?
    var certificate: FlowPath?
    var key: FlowPath?
    var minimumVersion: TLSOptions.Version?
}

/// A path in the workflow's folder, with its place.
struct FlowPath: Sendable {
    let path: String
    let offset: Int
}

/// A list that is loaded page by page.
struct FlowPages: Sendable {
    enum Next: Sendable {
        /// The `Link` header names the next page.
        case link
        /// The page's JSON contains the next page.
        case found(FlowQuery)
        /// The next page has the same address with another parameter value.
        case parameter(FlowPageParameter)
    }

    /// The first load; its limit applies to all pages together.
    let load: FlowLoad
    var next = Next.link
    /// The query for the records of a page; nil if the page itself is the list.
    var records: FlowQuery?
    var most: Int?
}
