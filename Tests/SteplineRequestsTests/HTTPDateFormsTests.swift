import Foundation
import SteplineSupport
import Testing

@testable import SteplineRequests

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The dates that servers send: all are in GMT, in three forms (RFC 9110, 5.6.7) and in those of cookies (RFC 6265,
/// 5.1.1).
@Suite("Dates that servers send", .timeLimit(.minutes(5)))
struct HTTPDateFormsTests {
    /// Half an hour before clocks in Europe change to daylight saving.
    private static let now = Date(timeIntervalSince1970: 1_774_744_200)

    private func instant(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

    @Test(
        "the three forms of one instant are read alike",
        arguments: [
            (
                "2026-03-29T01:00:00Z",
                [
                    "Sun, 29 Mar 2026 01:00:00 GMT", "Sunday, 29-Mar-26 01:00:00 GMT",
                    "Sun Mar 29 01:00:00 2026",
                ]
            ),
            (
                "2026-10-25T01:00:00Z",
                [
                    "Sun, 25 Oct 2026 01:00:00 GMT", "Sunday, 25-Oct-26 01:00:00 GMT",
                    "Sun Oct 25 01:00:00 2026",
                ]
            ),
            (
                "2024-02-29T23:59:59Z",
                [
                    "Thu, 29 Feb 2024 23:59:59 GMT", "Thursday, 29-Feb-24 23:59:59 GMT",
                    "Thu Feb 29 23:59:59 2024",
                ]
            ),
            (
                "1999-12-31T23:59:59Z",
                [
                    "Fri, 31 Dec 1999 23:59:59 GMT", "Friday, 31-Dec-99 23:59:59 GMT",
                    "Fri Dec 31 23:59:59 1999",
                ]
            ),
            (
                "2000-01-01T00:00:00Z",
                [
                    "Sat, 01 Jan 2000 00:00:00 GMT", "Saturday, 01-Jan-00 00:00:00 GMT",
                    "Sat Jan  1 00:00:00 2000",
                ]
            ),
        ])
    func forms(expected: String, texts: [String]) throws {
        let date = try instant(expected)
        for text in texts { #expect(HTTPDate.date(ofAnyForm: text, now: Self.now) == date, "\(text)") }
    }

    @Test(
        "PL-54: a date with a zone other than GMT, an invalid part or a missing one is refused",
        arguments: [
            "Sunday, 29-Mar-26 01:00:00 CET", "Sunday, 29-Mar-26 01:00:00 +0100",
            "Sunday, 29-Mar-2026 01:00:00 GMT",
            "Sunday, 29-Mar-26 01:00:00", "Sun Mar 29 01:00:00 CEST 2026", "Sun Mar 29 2026",
            "29 Mar 2026 01:00:00 GMT",
            "2026-03-29T01:00:00Z", "1774746000", "7", "", "never", "Sunday, 29-Mrz-26 01:00:00 GMT",
            "Sunday, 29-Mar--1 01:00:00 GMT", "Sun, 06 Nov 1994 08:49:37", "Sun, 99 Nov 1994 08:49:37 GMT",
            "Sun, 06 Abc 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT",
            "Sun, 06 Nov 999999999999 08:49:37 GMT",
        ])
    func others(text: String) { #expect(HTTPDate.date(ofAnyForm: text, now: Self.now) == nil) }

    /// Two digits mean the last such year that isn't more than 50 years ahead.
    private func year(_ digits: String, at now: String) throws -> Int? {
        let date = HTTPDate.date(ofAnyForm: "Sunday, 01-Jul-\(digits) 00:00:00 GMT", now: try instant(now))
        return date.map { Int(($0.timeIntervalSince1970 / 31_556_952).rounded(.down)) + 1970 }
    }

    @Test(
        "a year of two digits is at most 50 years after the calendar's present year, else in the past",
        arguments: [
            ("26", "2026-03-29T00:30:00Z", 2026), ("76", "2026-03-29T00:30:00Z", 2076),
            ("77", "2026-03-29T00:30:00Z", 1977),
            ("99", "2026-03-29T00:30:00Z", 1999), ("00", "2026-03-29T00:30:00Z", 2000),
            ("70", "2020-12-31T23:59:59Z", 2070),
            ("71", "2021-01-01T00:00:00Z", 2071), ("94", "1994-11-06T00:00:00Z", 1994),
            // In the next century.
            ("00", "2099-06-01T00:00:00Z", 2100), ("05", "2060-06-01T00:00:00Z", 2105),
            ("05", "1996-06-01T00:00:00Z", 2005),
            // In the first and last hours of a year.
            ("78", "2028-01-02T00:00:00Z", 2078), ("71", "2020-12-30T00:00:00Z", 1971),
            ("78", "2028-01-01T00:10:00Z", 2078), ("71", "2020-12-31T23:59:59Z", 1971),
        ])
    func years(digits: String, now: String, expected: Int) throws {
        #expect(try year(digits, at: now) == expected)
    }

    private func retryAfter(_ value: String?) throws -> RetryAfter? {
        let url = try #require(URL(string: "https://h.example/"))
        return RetryAfter(
            HTTPURLResponse(
                url: url, statusCode: 503, httpVersion: nil, headerFields: value.map { ["Retry-After": $0] }))
    }

    @Test(
        "PL-76: Retry-After names an instant in GMT, on both sides of a change of clocks",
        arguments: [
            ("Sun, 29 Mar 2026 00:59:59 GMT", "2026-03-29T00:59:59Z"),
            ("Sun, 29 Mar 2026 01:00:00 GMT", "2026-03-29T01:00:00Z"),
            ("Sun, 29 Mar 2026 02:30:00 GMT", "2026-03-29T02:30:00Z"),
            ("Sun, 25 Oct 2026 02:30:00 GMT", "2026-10-25T02:30:00Z"),
            ("Sunday, 08-Mar-26 02:30:00 GMT", "2026-03-08T02:30:00Z"),
            ("Sun Nov  1 01:30:00 2026", "2026-11-01T01:30:00Z"),
            (" Thu, 29 Feb 2024 23:59:59 GMT ", "2024-02-29T23:59:59Z"),
            ("Thu, 31 Dec 2026 23:59:60 GMT", "2027-01-01T00:00:00Z"),
        ])
    func retryDates(text: String, expected: String) throws {
        #expect(try retryAfter(text) == .date(try instant(expected)))
    }

    @Test("PL-76: Retry-After counts seconds, at most the longest possible wait, and nothing else is read")
    func retrySeconds() throws {
        #expect(try retryAfter("120") == .delay(.seconds(120)) && retryAfter("0") == .delay(.zero))
        for text in [nil, "", "-1", "1.5", "2 h", "Sun, 29 Mar 2026 01:00:00 +0100", "2026-03-29T01:00:00Z"] {
            #expect(try retryAfter(text) == nil, "\(text ?? "no header")")
        }
        for text in ["99999999999", "9223372036854775808", "99999999999999999999999999"] {
            #expect(try retryAfter(text) == .delay(.seconds(1 << 32)), "\(text)")
        }
    }

    @Test("the wait until a date of Retry-After is counted in seconds that pass, over a change of clocks")
    func waits() throws {
        let policy = RetryPolicy.constant(
            attempts: 2, delay: .seconds(1), cap: .seconds(7_200), when: { _ in true })
        struct Busy: RetryAdvising {
            let isTransient = true
            let retryAfter: RetryAfter?
        }
        // From half past midnight to half past one in GMT: in Berlin from 1:30 to 3:30, in New York on the evening
        // before.
        let wish = Busy(retryAfter: try retryAfter("Sun, 29 Mar 2026 01:30:00 GMT"))
        #expect(policy.delay(afterAttempt: 1, failedWith: wish, now: Self.now) == .seconds(3_600))
        let soon = Busy(retryAfter: try retryAfter("Sun, 29 Mar 2026 01:00:05 GMT"))
        let before = try instant("2026-03-29T00:59:55Z")
        #expect(policy.delay(afterAttempt: 1, failedWith: soon, now: before) == .seconds(10))
    }

    private func expiry(_ attributes: String, at now: Date = now) throws -> Date? {
        let url = try #require(URL(string: "https://h.example/"))
        let place = try #require(CookiePlace(url))
        return try #require(Cookie("a=1; \(attributes)", from: place, at: now)).expires
    }

    @Test(
        "a cookie's expiry is read in GMT, with blanks or hyphens and with two or four digits of the year",
        arguments: [
            ("Expires=Sun, 29 Mar 2026 02:30:00 GMT", "2026-03-29T02:30:00Z"),
            ("Expires=Sun, 29-Mar-2026 02:30:00 GMT", "2026-03-29T02:30:00Z"),
            ("Expires=Sun, 25-Oct-26 02:30:00 GMT", "2026-10-25T02:30:00Z"),
            ("expires=Sunday, 25-Oct-26 02:30:00 GMT", "2026-10-25T02:30:00Z"),
            ("EXPIRES=Sun Nov  1 01:30:00 2026", "2026-11-01T01:30:00Z"),
            ("Expires=Thu, 31-Dec-2026 23:59:59 GMT", "2026-12-31T23:59:59Z"),
            ("Expires=Thu, 29 Feb 2024 00:00:00 GMT", "2024-02-29T00:00:00Z"),
            ("Expires=Thu, 01 Jan 1970 00:00:00 GMT", "1970-01-01T00:00:00Z"),
        ])
    func cookies(attributes: String, expected: String) throws {
        #expect(try expiry(attributes) == instant(expected))
    }

    @Test("a cookie's age is counted in seconds over a change of clocks, and goes before its date")
    func ages() throws {
        #expect(try expiry("Max-Age=86400") == Self.now + 86_400)
        #expect(try expiry("Expires=Sun, 29 Mar 2026 02:30:00 GMT; Max-Age=7200") == Self.now + 7_200)
        #expect(try expiry("Expires=Sun, 29 Mar 2026 02:30:00 +0200") == nil)
        #expect(try expiry("Expires=Fri, 31 Dec 2049 23:59:59 GMT") == Self.now + 400 * 86_400)
    }
}
