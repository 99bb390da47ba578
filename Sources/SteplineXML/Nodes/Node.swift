extension XML {
    /// Any node: a light handle that keeps its document alive.
    public struct Node: Hashable, Sendable {
        enum Place: Hashable {
            case tree(Int)
            case attribute(Int)
        }

        let tree: TreeStorage
        let place: Place

        /// The kind of a node.
        public enum Kind: Sendable, Hashable {
            /// The document itself.
            case document
            /// An element.
            case element
            /// An attribute.
            case attribute
            /// A text.
            case text
            /// A CDATA section.
            case cdata
            /// A comment.
            case comment
            /// A processing instruction.
            case instruction
        }

        /// The kind of the node.
        public var kind: Kind {
            guard case .tree(let index) = place else { return .attribute }
            return switch tree.nodes[index].kind {
            case .document, .batch: .document
            case .element: .element
            case .text: .text
            case .cdata: .cdata
            case .comment: .comment
            case .instruction: .instruction
            }
        }

        /// The node as an element, if it is one.
        public var element: Element? {
            guard case .tree(let index) = place, tree.nodes[index].kind == .element else { return nil }
            return Element(tree: tree, index: index)
        }

        /// The node as an attribute, if it is one.
        public var attribute: Attribute? {
            guard case .attribute(let index) = place else { return nil }
            return Attribute(tree: tree, index: index)
        }

        /// The document of the node.
        public var document: Document { Document(tree) }
    }
}
