extension XML.Document {
    /// Evaluates a query on the whole document.
    ///
    /// The first query of a document builds a helper tree for libxml2, several times the size of the document; it is
    /// kept as long as the document is. Any number of threads may query one document.
    public func query<R>(
        _ query: XML.Query<R>, namespaces: [String: String] = [:], variables: [String: XML.Value] = [:]
    ) throws(XMLError) -> R {
        try query.extract(
            QueryEvaluator.evaluate(
                query.expression, on: tree, at: 0, namespaces: namespaces, variables: variables))
    }
}

extension XML.Element {
    /// Evaluates a query with this element as its context: relative paths start here.
    ///
    /// In a record of a stream, absolute paths start above the record.
    public func query<R>(
        _ query: XML.Query<R>, namespaces: [String: String] = [:], variables: [String: XML.Value] = [:]
    ) throws(XMLError) -> R {
        try query.extract(
            QueryEvaluator.evaluate(
                query.expression, on: tree, at: index, namespaces: namespaces, variables: variables))
    }
}
