import Foundation
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A manager's public session, with the protocol class that leads its tasks to the manager.
///
/// Foundation creates an instance of a class for each task and doesn't name the session. Each session therefore needs
/// its own class: a specialization of a generic class whose parameter encodes a number. A number is reused after its
/// session was freed.
final class SessionPlace: Sendable {
    let session: URLSession
    private let keeper: SessionNumber

    init(for factory: URLTaskFactory, like own: URLSessionConfiguration) {
        let configuration = own.copy() as? URLSessionConfiguration ?? .ephemeral
        keeper = SessionNumber(factory)
        configuration.protocolClasses = [keeper.protocolClass]
        // The sending session handles headers, cookies and cached responses.
        configuration.httpAdditionalHeaders = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        // The session retains its delegate, so the number lives as long as the session.
        session = URLSession(configuration: configuration, delegate: keeper, delegateQueue: nil)
    }

    /// Disconnects the session from its manager.
    func close() { keeper.close() }

    /// Frees a session that was never given to a user.
    ///
    /// A session retains its delegate, and with it the number, until it is invalidated.
    func discard() {
        close()
        session.invalidateAndCancel()
    }
}

/// The number of a session, which lives as long as the session.
final class SessionNumber: NSObject, URLSessionDelegate, Sendable {
    private struct Numbers {
        var factories: [Int: URLTaskFactory] = [:]
        var classes: [ObjectIdentifier: Int] = [:]
        var free: [Int] = []
        var last = 0

        mutating func take(_ factory: URLTaskFactory) -> Int {
            // Reuse numbers: each new number creates a class, which is never freed.
            let number = free.popLast() ?? last + 1
            last = max(last, number)
            factories[number] = factory
            return number
        }
    }

    private static let numbers = Locked(Numbers())

    private let number: Int
    let protocolClass: URLProtocol.Type

    init(_ factory: URLTaskFactory) {
        number = Self.numbers.withLock { $0.take(factory) }
        protocolClass = Self.makeClass(number, End.self)
        let (protocolClass, number) = (protocolClass, number)
        Self.numbers.withLock { $0.classes[ObjectIdentifier(protocolClass)] = number }
        super.init()
    }

    deinit {
        let number = number
        // Release after unlock.
        _ = Self.numbers.withLock { numbers in
            // No task of the session exists any more, so its class can serve another session.
            numbers.free.append(number)
            return numbers.factories.removeValue(forKey: number)
        }
    }

    func close() {
        let number = number
        _ = Self.numbers.withLock { $0.factories.removeValue(forKey: number) }
    }

    /// Returns the entry to the manager of a protocol class; nil if the manager was released.
    static func factory(of protocolClass: URLProtocol.Type) -> URLTaskFactory? {
        numbers.withLock { numbers in
            numbers.classes[ObjectIdentifier(protocolClass)].flatMap { numbers.factories[$0] }
        }
    }

    // MARK: Numbers as types

    private enum End {}
    private enum Zero<Rest> {}
    private enum One<Rest> {}

    /// Returns a class for a number, one type parameter per binary digit.
    private static func makeClass<Digits>(_ number: Int, _ digits: Digits.Type) -> URLProtocol.Type {
        switch (number, number & 1) {
        case (...0, _): SessionGate<Digits>.self
        case (_, 0): makeClass(number >> 1, Zero<Digits>.self)
        default: makeClass(number >> 1, One<Digits>.self)
        }
    }
}
