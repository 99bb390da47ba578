import SteplineRequests

/// What all loads of a workflow share.
struct FlowNetwork: Sendable {
    enum Cookies: Sendable {
        /// In memory, for the length of the run.
        case ofRun
        case file(FlowPath)
    }

    var cookies: Cookies?
    var cache: FlowPath?
    /// The most requests a second to each host.
    var rate: Double?
    /// The most connections to each host.
    var connections: Int?
    var authorities: FlowPath?
    var certificate: FlowPath?
    var key: FlowPath?
    var minimumVersion: TLSOptions.Version?
}

/// A path of the workflow's folder, and where it stands.
struct FlowPath: Sendable {
    let path: String
    let offset: Int
}

/// A list that is loaded page by page.
struct FlowPages: Sendable {
    enum Next: Sendable {
        /// The header `Link` names the next page.
        case link
        /// The page does, in its JSON.
        case found(FlowQuery)
        /// The same address with another value of a parameter.
        case parameter(FlowPageParameter)
    }

    /// What is loaded first, and how; its limit is for all pages together.
    let load: FlowLoad
    var next = Next.link
    /// Where the records of a page are; nil for a page that is a list itself.
    var records: FlowQuery?
    var most: Int?
}
