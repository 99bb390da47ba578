package import Foundation
import SteplineSupport

extension LoopbackResponse {
    /// Returns the response with a header line, which replaces lines with the same name.
    public func header(_ name: String, _ value: String) -> LoopbackResponse {
        changed { $0.headers[name] = value }
    }

    /// Returns the response in chunks of the given size, without a `Content-Length`.
    public func chunked(of size: Int = 16 << 10) -> LoopbackResponse {
        changed { $0.framing = .chunked(of: max(size, 1)) }
    }

    /// The same, with no length announced: the end of the connection is the end of the body.
    package func untilClose() -> LoopbackResponse {
        changed { $0.framing = .untilClose }
    }

    /// The same, after which the server closes the connection.
    package func closing() -> LoopbackResponse {
        changed { $0.closesConnection = true }
    }

    /// Returns the response with a false `Content-Length`.
    ///
    /// If it is too large, the connection is closed after the bytes that there are.
    package func announcing(length: Int) -> LoopbackResponse {
        changed {
            $0.announcedLength = length
            $0.closesConnection = true
        }
    }

    /// Returns the response with an entity tag, including its quotes; a request with this tag receives a 304.
    public func etag(_ tag: String) -> LoopbackResponse { header("ETag", tag) }

    /// The same with a date of change: a request that has it already is answered with 304.
    package func lastModified(_ date: Date) -> LoopbackResponse {
        header("Last-Modified", HTTPDate.text(of: date))
    }

    /// Returns the response with support for `Range` and `If-Range`, which lead to a part or a 416.
    public func servingRanges() -> LoopbackResponse {
        changed {
            $0.servesRanges = true
            $0.headers["Accept-Ranges"] = "bytes"
        }
    }

    /// Returns the response with gzip for requests that accept it.
    ///
    /// Parts are of the plain bytes (``servingRanges()``), and a body without end stays as it is.
    package func gzipped() -> LoopbackResponse {
        changed { $0.isGzipped = true }
    }

    /// Returns the response with a delay: the server waits before it sends the head.
    ///
    /// The wait takes real time, and ends early if the client hangs up. Use ``LoopbackFault/hold(after:_:)`` to let a
    /// test decide when the response goes on.
    public func delayed(by delay: Duration) -> LoopbackResponse {
        changed { $0.delay = delay }
    }

    /// Returns the response with a fault.
    public func fault(_ fault: LoopbackFault) -> LoopbackResponse {
        changed { $0.fault = fault }
    }

    func changed(_ change: (inout LoopbackResponse) -> Void) -> LoopbackResponse {
        var response = self
        change(&response)
        return response
    }
}
