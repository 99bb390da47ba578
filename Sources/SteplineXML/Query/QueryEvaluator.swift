import CLibXML2

/// Compiles and evaluates expressions with libxml2, each in its own context.
final class QueryEvaluator {
    private struct Report {
        var message = "the expression is wrong"
        var code = 0
        var place: Int?
    }

    private let context: xmlXPathContextPtr
    private let report: UnsafeMutablePointer<Report>

    private init(_ document: xmlDocPtr?, namespaces: [String: String]) throws(XMLError) {
        guard let context = xmlXPathNewContext(document) else {
            throw XMLError(.query, "there is no memory for a query")
        }
        self.context = context
        report = .allocate(capacity: 1)
        report.initialize(to: Report())
        context.pointee.userData = UnsafeMutableRawPointer(report)
        context.pointee.error = { target, error in
            guard let error, let report = target?.assumingMemoryBound(to: Report.self),
                report.pointee.code == 0
            else { return }
            report.pointee.code = Int(error.pointee.code) - Int(XML_XPATH_EXPRESSION_OK.rawValue)
            report.pointee.message =
                error.pointee.message == nil
                ? QueryMessage.text(of: xmlXPathError(rawValue: UInt32(max(0, report.pointee.code))))
                : LibXML.message(error.pointee.message)
            if error.pointee.str1 != nil { report.pointee.place = Int(error.pointee.int1) }
        }
        for (prefix, uri) in namespaces { xmlXPathRegisterNs(context, prefix, uri) }
        QueryNumber.register(in: context)
    }

    deinit {
        xmlXPathFreeContext(context)
        report.deinitialize(count: 1)
        report.deallocate()
    }

    private var error: XMLError {
        let found = report.pointee
        let isLimit =
            found.code == Int(XPATH_OP_LIMIT_EXCEEDED.rawValue)
            || found.code == Int(XPATH_RECURSION_LIMIT_EXCEEDED.rawValue)
        return XMLError(
            isLimit ? .limit : .query, isLimit ? "the query takes too many operations" : found.message,
            column: isLimit ? nil : found.place.map { $0 + 1 },
            limit: isLimit ? .queryOperations : nil)
    }

    private func compile(_ expression: String) throws(XMLError) -> xmlXPathCompExprPtr {
        guard let compiled = xmlXPathCtxtCompile(context, expression) else { throw error }
        return compiled
    }

    static func check(_ expression: String, namespaces: [String: String]) throws(XMLError) {
        try QueryGrammar.check(expression, namespaces: namespaces)
        try LibXML.quietly { () throws(XMLError) in
            xmlXPathFreeCompExpr(try QueryEvaluator(nil, namespaces: namespaces).compile(expression))
        }
    }

    static func evaluate(
        _ expression: String, on tree: TreeStorage, at node: Int, namespaces: [String: String],
        variables: [String: XML.Value]
    ) throws(XMLError) -> QueryValue {
        try QueryGrammar.check(expression, namespaces: namespaces)
        return try LibXML.quietly { () throws(XMLError) in
            let isBatch = tree.nodes[0].kind == .batch
            guard
                let own = isBatch
                    ? QueryTree(tree, root: record(around: node, in: tree)) : tree.queryTree.tree(of: tree)
            else { throw XMLError(.query, "there is no memory for a query") }
            let evaluator = try QueryEvaluator(own.document, namespaces: namespaces)
            return try withExtendedLifetime(own) { () throws(XMLError) in
                try evaluator.evaluate(expression, tree, own.node(node), variables)
            }
        }
    }

    /// Returns the record that contains a node of a batch.
    private static func record(around node: Int, in tree: TreeStorage) -> Int {
        var record = node
        while tree.nodes[record].parent != 0 { record = Int(tree.nodes[record].parent) }
        return record
    }

    private func evaluate(
        _ expression: String, _ tree: TreeStorage, _ node: xmlNodePtr?, _ variables: [String: XML.Value]
    ) throws(XMLError) -> QueryValue {
        context.pointee.node = node
        context.pointee.opLimit = UInt(max(tree.queryOperations, 1))
        for (name, value) in variables {
            let object =
                switch value {
                case .string(let text): xmlXPathNewString(text)
                case .number(let number): xmlXPathNewFloat(number)
                case .bool(let truth): xmlXPathNewBoolean(truth ? 1 : 0)
                }
            xmlXPathRegisterVariable(context, name, object)
        }
        let compiled = try compile(expression)
        defer { xmlXPathFreeCompExpr(compiled) }
        guard let object = xmlXPathCompiledEval(compiled, context) else { throw error }
        defer { xmlXPathFreeObject(object) }
        guard report.pointee.code == 0 else { throw error }
        return QueryEvaluator.value(object, tree)
    }

    private static func value(_ object: xmlXPathObjectPtr, _ tree: TreeStorage) -> QueryValue {
        switch object.pointee.type {
        case XPATH_BOOLEAN: .bool(object.pointee.boolval != 0)
        case XPATH_NUMBER: .number(object.pointee.floatval)
        case XPATH_STRING: .string(object.pointee.stringval.map { String(cString: $0) } ?? "")
        default: .matches(matches(object.pointee.nodesetval, tree))
        }
    }

    private static func matches(_ set: xmlNodeSetPtr?, _ tree: TreeStorage) -> [QueryValue.Match] {
        guard let set, let table = set.pointee.nodeTab else { return [] }
        var nodes: [XML.Node] = []
        var namespaces: [QueryValue.Match] = []
        nodes.reserveCapacity(Int(set.pointee.nodeNr))
        for index in 0..<Int(set.pointee.nodeNr) {
            guard let node = table[index] else { continue }
            let number = Int(bitPattern: node.pointee._private) - 1
            switch node.pointee.type {
            case XML_NAMESPACE_DECL:
                let space = UnsafeMutableRawPointer(node).assumingMemoryBound(to: xmlNs.self)
                namespaces.append(.namespace(space.pointee.href.map { String(cString: $0) } ?? ""))
            case XML_DOCUMENT_NODE, XML_HTML_DOCUMENT_NODE:
                nodes.append(XML.Node(tree: tree, place: .tree(0)))
            case XML_ATTRIBUTE_NODE: nodes.append(XML.Node(tree: tree, place: .attribute(number)))
            default: nodes.append(XML.Node(tree: tree, place: .tree(number)))
            }
        }
        if !zip(nodes, nodes.dropFirst()).allSatisfy({ $0 < $1 }) { nodes.sort() }
        return nodes.map { .node($0) } + namespaces
    }
}
