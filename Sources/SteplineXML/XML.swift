/// The namespace of XML documents, queries, streams and decoding.
///
/// Nesting the types here avoids collisions with Foundation's `XMLDocument` and `XMLElement`.
public enum XML {}
