/// The address parameter that selects a page.
struct FlowPageParameter: Sendable {
    enum Value: Sendable {
        /// Each page contains the value for the next page, such as a cursor.
        case found(FlowQuery)
        /// A number that increases with each page, such as a page number or an offset.
        case counted(from: Int, step: Int)
    }

    let name: String
    let value: Value
    /// The query that decides whether another page follows; nil to decide by the value or by an empty page.
    var more: FlowQuery?
}
