/// The namespace of XML documents, queries, streams and decoding.
///
/// The types live in here so that they never collide with Foundation's `XMLDocument`, `XMLElement` and so on.
public enum XML {}
