/// A parameter of the address that asks for the next page.
struct FlowPageParameter: Sendable {
    enum Value: Sendable {
        /// Each page has that of the next, as a cursor.
        case found(FlowQuery)
        /// A number that grows with each page, as a page's number or an offset.
        case counted(from: Int, step: Int)
    }

    let name: String
    let value: Value
    /// What says on a page whether another follows; nil if the value, or a page without records, does.
    var more: FlowQuery?
}
