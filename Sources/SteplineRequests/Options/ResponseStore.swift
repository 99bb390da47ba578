/// Where answers are kept to be asked for again only if they have changed.
public struct ResponseStore: Sendable {
}
