extension XML.Document {
    /// Evaluates a query on the whole document.
    ///
    /// The first query of a document builds a libxml2 tree, several times as large as the document, and keeps it. Many
    /// threads may query one document.
    ///
    /// - Throws: An ``XMLError`` for a wrong expression, an unbound prefix, an exceeded limit, or a result of another
    ///   type.
    public func query<R>(
        _ query: XML.Query<R>, namespaces: [String: String] = [:], variables: [String: XML.Value] = [:]
    ) throws(XMLError) -> R {
        try query.extract(
            QueryEvaluator.evaluate(
                query.expression, on: tree, at: 0, namespaces: namespaces, variables: variables))
    }
}

extension XML.Element {
    /// Evaluates a query with this element as its context node.
    ///
    /// In a record of a stream, absolute paths begin above the record.
    ///
    /// - Throws: An ``XMLError`` for a wrong expression, an unbound prefix, an exceeded limit, or a result of another
    ///   type.
    public func query<R>(
        _ query: XML.Query<R>, namespaces: [String: String] = [:], variables: [String: XML.Value] = [:]
    ) throws(XMLError) -> R {
        try query.extract(
            QueryEvaluator.evaluate(
                query.expression, on: tree, at: index, namespaces: namespaces, variables: variables))
    }
}
