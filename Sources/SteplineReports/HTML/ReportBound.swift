/// What has bounded the length of a run, for its report.
package struct ReportBound: Sendable {
    /// In words: `bound by jobs (2): with no such bound about 20 s less`.
    let text: String
    /// Whether it is the longest chain of tasks, so that the critical path is all there is to tell.
    let isPath: Bool

    package init(text: String, isPath: Bool) {
        self.text = text
        self.isPath = isPath
    }
}
