/// The namespace of XML documents, queries, streams and decoding.
///
/// Nesting the types here avoids collisions with Foundation's `XMLDocument` and `XMLElement`.
///
/// Documents, nodes, queries and streams are immutable and may be used on any thread. Record parsers and iterators are
/// for one thread at a time. libxml2's error handlers belong to a thread. Each call replaces those of its thread and
/// restores them afterwards, so that another user of libxml2 in the process isn't affected.
public enum XML {}
