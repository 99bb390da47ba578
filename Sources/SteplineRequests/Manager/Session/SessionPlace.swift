import Foundation
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A manager's public session, and the protocol class by which its tasks find the manager.
///
/// Foundation makes an instance of a class for each task and says nothing of the session, so each session has a class
/// of its own: one of a generic class whose parameter spells a number. A number is given again once its session is
/// gone.
final class SessionPlace: Sendable {
    let session: URLSession
    private let keeper: SessionNumber

    init(for door: URLTaskDoor, like own: URLSessionConfiguration) {
        let configuration = own.copy() as? URLSessionConfiguration ?? .ephemeral
        keeper = SessionNumber(door)
        configuration.protocolClasses = [keeper.protocolClass]
        // Headers, cookies and stored responses are the business of the session that sends.
        configuration.httpAdditionalHeaders = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        // As delegate it lives as long as the session does, whoever keeps that.
        session = URLSession(configuration: configuration, delegate: keeper, delegateQueue: nil)
    }

    /// The manager is gone.
    func close() { keeper.close() }
}

/// The number of a session, kept as long as the session is there.
final class SessionNumber: NSObject, URLSessionDelegate, Sendable {
    private struct Numbers {
        var doors: [Int: URLTaskDoor] = [:]
        var classes: [ObjectIdentifier: Int] = [:]
        var free: [Int] = []
        var last = 0

        mutating func take(_ door: URLTaskDoor) -> Int {
            let number = free.popLast() ?? last + 1
            last = max(last, number)
            doors[number] = door
            return number
        }
    }

    private static let numbers = Locked(Numbers())

    private let number: Int
    let protocolClass: URLProtocol.Type

    init(_ door: URLTaskDoor) {
        number = Self.numbers.withLock { $0.take(door) }
        protocolClass = Self.makeClass(number, End.self)
        let (protocolClass, number) = (protocolClass, number)
        Self.numbers.withLock { $0.classes[ObjectIdentifier(protocolClass)] = number }
        super.init()
    }

    deinit {
        let number = number
        // Released after the lock.
        _ = Self.numbers.withLock { numbers in
            numbers.free.append(number)
            return numbers.doors.removeValue(forKey: number)
        }
    }

    func close() {
        let number = number
        _ = Self.numbers.withLock { $0.doors.removeValue(forKey: number) }
    }

    /// The way into the manager of whose session the protocol's class is; nil if the manager is gone.
    static func door(of protocolClass: URLProtocol.Type) -> URLTaskDoor? {
        numbers.withLock { numbers in
            numbers.classes[ObjectIdentifier(protocolClass)].flatMap { numbers.doors[$0] }
        }
    }

    // MARK: Numbers as types

    private enum End {}
    private enum Zero<Rest> {}
    private enum One<Rest> {}

    /// A class for each number, digit by digit.
    private static func makeClass<Digits>(_ number: Int, _ digits: Digits.Type) -> URLProtocol.Type {
        switch (number, number & 1) {
        case (...0, _): SessionGate<Digits>.self
        case (_, 0): makeClass(number >> 1, Zero<Digits>.self)
        default: makeClass(number >> 1, One<Digits>.self)
        }
    }
}
