public import Foundation
public import SteplinePipeline
import SteplineRequests

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Loads what a URL names into a file, whose URL goes on.
///
/// The bytes are written to a hidden neighbour, which is moved into place when it is complete: the file is the
/// old or the new one, whole. Missing directories are made. Memory doesn't depend on the size. Everything else
/// is as with ``URLLoadStep``; the body of a refused status goes into the error, never into the file.
public final class URLDownloadStep: StepOperation, TypedStep,
    @unchecked Sendable  // all that is stored is constant
{
    private let load: NetworkLoad
    private let file: URL
    private let downloadOptions: DownloadOptions

    /// Makes a step that downloads a URL.
    public convenience init(_ url: URL, to file: URL, options: DownloadOptions = .init()) {
        self.init(URLRequest(url: url), to: file, options: options)
    }

    /// Makes a step that downloads what a request brings; over a session of one's own if one is given.
    public init(
        _ request: URLRequest, to file: URL, session: URLSession? = nil, options: DownloadOptions = .init()
    ) {
        load = NetworkLoad(request: request, session: session, options: options.load)
        self.file = file
        downloadOptions = options
        super.init()
    }

    private init(copying other: URLDownloadStep) {
        load = other.load
        file = other.file
        downloadOptions = other.downloadOptions
        super.init()
    }

    /// Nothing is read but the body to be sent, if it is an entry of the bag.
    public var inputKey: ContentKey<Void> { .nothing }

    /// The file's URL.
    public var outputKey: ContentKey<URL> { .body }

    /// The entries the step reads: the body to be sent, if it is an entry of the bag.
    public override var inputs: [AnyContentKey] { load.options.body.declared }

    /// The entries the step writes: the file's URL and the response.
    public override var outputs: [AnyContentKey] { [outputKey.erased] + load.outputs }

    /// What is wrong with the settings: not a file URL, a scheme that isn't allowed, a background session.
    public override var configurationProblems: [String] {
        let uncached = load.options.cache == nil ? [] : ["a download isn't cached; load it, and save it"]
        return load.problems + uncached + file.problemsAsFile
    }

    /// The file.
    public override var produces: [URL] { [file] }

    /// Makes an unused step with the same request, file, session and options.
    public override func makeCopy() -> any Step {
        let copy = URLDownloadStep(copying: self)
        copy.takeOptions(of: self)
        return copy
    }

    /// Downloads.
    public override func main() {
        let key = outputKey
        let clock = context.clock
        load.download(
            in: context, content,
            prepare: { [file, downloadOptions] plan in
                try FileError.inCalls {
                    let place = try FilePlace(
                        file.pathOfFile(), makingFolder: true, followingLinks: downloadOptions.followsLinks)
                    let old = try place.existingStatus()
                    let revalidation = Revalidation(
                        &plan, clock: clock, file: place.path, fileMark: old?.mark)
                    return (try DownloadSink(file, place, downloadOptions, &plan), revalidation)
                }
            },
            store: { result, bag in
                bag[key] = result.value.url
                bag[.urlResponse] = result.response
            })
    }
}
