/// What a document says about itself before its root.
struct DocumentInfo: Sendable {
    var version: String?
    var encoding = "UTF-8"
    var isStandalone: Bool?
    var isHTML = false
    var doctype: XML.DocumentType?
    /// The attributes that are declared to be IDs, by their element's name; names as written, with prefixes.
    private(set) var ids: [String: Set<String>] = [:]

    /// What holds for a part of the document too.
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
    /// A document type declaration; what it points at is never loaded.
    public struct DocumentType: Sendable, Hashable {
        /// The name that the root should have.
        public let name: String
        /// The public identifier.
        public let publicID: String?
        /// The system identifier, most often a URL.
        public let systemID: String?
    }
}
