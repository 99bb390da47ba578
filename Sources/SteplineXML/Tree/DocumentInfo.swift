/// The properties of a document before its root.
struct DocumentInfo: Sendable {
    var version: String?
    var encoding = "UTF-8"
    var isStandalone: Bool?
    var isHTML = false
    var doctype: XML.DocumentType?
    /// The attributes declared as IDs, by element name; all names are qualified.
    private(set) var ids: [String: Set<String>] = [:]

    /// The properties that also apply to records.
    var forRecords: DocumentInfo {
        var info = DocumentInfo()
        info.ids = ids
        return info
    }

    mutating func declareID(_ attribute: String, of element: String) {
        ids[element, default: []].insert(attribute)
    }
}

extension XML {
    /// A document type declaration; its external subset is never loaded.
    public struct DocumentType: Sendable, Hashable {
        /// The declared name of the root.
        public let name: String
        /// The public identifier.
        public let publicID: String?
        /// The system identifier, usually a URL.
        public let systemID: String?
    }
}
