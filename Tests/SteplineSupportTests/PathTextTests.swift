import SteplineSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PathTextTests {
    @Test(arguments: [
        ("/a/b", "b", "/a"), ("a", "a", ""), ("/a", "a", "/"), ("/", "/", "/"), ("", "", ""),
        ("//", "/", "/"),
        ("a/b/", "b", "a"), ("a//b//", "b", "a"), ("//a", "a", "/"), ("/a/\u{301}b", "\u{301}b", "/a"),
        ("/a/x/\u{301}b", "\u{301}b", "/a/x"), ("\u{600}/b", "b", "\u{600}"), ("/a\r/\nb", "\nb", "/a\r"),
    ])
    func `a path has a last name, and a folder around it`(path: String, name: String, folder: String) {
        #expect(
            ExactText(path.lastName) == ExactText(name) && ExactText(path.outerFolder) == ExactText(folder))
    }
}
