import CPostgreSQL
import Foundation

/// A connection to the server, for one thread at a time.
final class Session {
    /// The time limit of a statement in milliseconds, longer than the server's own limit.
    private static let patience: Int32 = 65_000

    /// The largest message that the server accepts, about 1 GB.
    private static let mostBytes = 1 << 30 - 1 << 16

    private let connection: OpaquePointer
    /// The names of prepared statements, keyed by the address of their static text.
    private var prepared: [UnsafePointer<UInt8>: String] = [:]

    init(_ address: Address, lease: Duration) throws {
        connection = try Self.connect(to: address)
        try setUp(lease: lease)
    }

    deinit { cpg_close(connection) }

    /// Connects within ten seconds.
    ///
    /// libpq continues with the next host after an error, but waits for a host that doesn't answer. So each host is the
    /// first one for its share of the time.
    private static func connect(to address: Address) throws -> OpaquePointer {
        for order in 1..<address.orders {
            do { return try connect(to: address, order: order - 1) } catch let failure as ServerFailure
                where failure.isLate
            {}
        }
        return try connect(to: address, order: address.orders - 1)
    }

    private static func connect(to address: Address, order: Int) throws -> OpaquePointer {
        // `CPG_LOST` until the call sets the reason.
        var end = CPG_LOST
        let parameters = address.parameters(order: order)
        let names = parameters.map { strdup($0.0) }
        let values = parameters.map { strdup($0.1) }
        defer { for text in names + values { free(text) } }
        let nameList = names.map { UnsafePointer($0) } + [nil]
        let valueList = values.map { UnsafePointer($0) } + [nil]
        guard let connection = cpg_connect(nameList, valueList, 10_000 / Int32(address.orders), &end)
        else {
            throw ServerFailure.lost("")
        }
        guard end == CPG_DONE else {
            defer { cpg_close(connection) }
            throw end == CPG_LATE ? .late : address.refusal(String(cString: cpg_complaint(connection)))
        }
        return connection
    }

    private func setUp(lease: Duration) throws {
        // A process that stops in the middle of a transaction must not hold its locks longer than its lease, and not so
        // long that waiting processes give up.
        let milliseconds = max(Int(min(lease, .seconds(15)) / .milliseconds(1)), 1)
        // Statements look up single rows. A plan made while the tables were small would scan them, and would be reused
        // after they have grown: forbid sequential scans and hash or merge joins. The query for all workers has no
        // index, so its plan looks expensive: disable JIT compilation for it. Values don't matter then: use one generic
        // plan from the start.
        try run(
            """
            SET idle_in_transaction_session_timeout = \(milliseconds); SET statement_timeout = '60s';
            SET lock_timeout = '30s'; SET search_path = pg_catalog;
            SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; SET jit = off;
            SET plan_cache_mode = force_generic_plan
            """)
    }

    /// Whether the connection is outside any transaction and statement.
    var isIdle: Bool { cpg_is_idle(connection) }

    /// The server's version, such as 150004 for 15.4.
    var serverVersion: Int { Int(cpg_server_version(connection)) }

    /// Executes statements without parameters.
    @discardableResult
    func run(_ sql: String) throws -> Answer {
        var end = CPG_LOST
        return try answer(cpg_run(connection, sql, Self.patience, &end), end)
    }

    /// Executes a prepared statement with parameters; `$1` is the first.
    @discardableResult
    func run(_ sql: StaticString, _ values: [Value]) throws -> Answer {
        let size = values.reduce(1) { $0 + ($1.bytes?.count ?? 0) }
        guard size <= Self.mostBytes else { throw ServerFailure.tooLarge(size) }
        let name = try prepare(sql)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        var places: [Int?] = []
        for value in values {
            places.append(value.bytes == nil ? nil : bytes.count)
            if let value = value.bytes { bytes += value }
        }
        // A null pointer means NULL, so an empty value needs an address too.
        bytes.append(0)
        let lengths = values.map { Int32(clamping: $0.bytes?.count ?? 0) }
        // Format 1 is binary.
        let formats = [Int32](repeating: 1, count: values.count)
        var end = CPG_LOST
        let handle = bytes.withUnsafeBytes { bytes in
            let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            // Pointers are valid during this call only.
            let pointers = places.map { place in place.flatMap { base?.advanced(by: $0) } }
            return cpg_execute(
                connection, name, Int32(values.count), pointers, lengths, formats, Self.patience, &end)
        }
        return try answer(handle, end)
    }

    /// Waits for a notification and passes its payload on; returns false if the connection is lost.
    func awaitNotice(_ milliseconds: Int32, _ call: (String) -> Void) -> Bool {
        var end = CPG_LOST
        // A timeout isn't a lost connection.
        guard let payload = cpg_await_notice(connection, milliseconds, &end) else { return end == CPG_LATE }
        defer { free(payload) }
        call(String(cString: payload))
        return true
    }

    private func prepare(_ sql: StaticString) throws -> String {
        // Prepare on first use, once for each connection.
        if let name = prepared[sql.utf8Start] { return name }
        let name = "s\(prepared.count)"
        var end = CPG_LOST
        let text = UnsafeRawPointer(sql.utf8Start).assumingMemoryBound(to: CChar.self)
        _ = try answer(cpg_prepare(connection, name, text, Self.patience, &end), end)
        prepared[sql.utf8Start] = name
        return name
    }

    private func answer(_ handle: OpaquePointer?, _ end: cpg_end) throws -> Answer {
        if end == CPG_LATE { throw ServerFailure.late }
        guard let handle else {
            throw ServerFailure.lost(Address.firstLine(String(cString: cpg_complaint(connection))))
        }
        let answer = Answer(handle)
        if let failure = answer.failure { throw failure }
        return answer
    }
}
