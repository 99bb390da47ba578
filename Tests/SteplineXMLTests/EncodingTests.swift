import Foundation
import SteplineXML
import Testing

@Suite(.timeLimit(.minutes(5))) struct EncodingTests {
    private func utf16(_ text: String, big: Bool) -> [UInt8] {
        text.utf16.flatMap {
            big ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)] as [UInt8]
        }
    }

    private func text(_ bytes: [UInt8], _ charset: String? = nil) throws -> String {
        var options = XML.Options()
        options.charset = charset
        return try XML.Document(bytes: bytes, options: options).root.text
    }

    @Test func `PL-98 mark, then charset, then declaration, then UTF-8`() throws {
        let plain = "<a>ä€😀</a>"
        #expect(try text(Array(plain.utf8)) == "ä€😀")
        #expect(try text([0xEF, 0xBB, 0xBF] + Array(plain.utf8), "iso-8859-1") == "ä€😀")
        #expect(try text([0xFF, 0xFE] + utf16(plain, big: false)) == "ä€😀")
        #expect(try text([0xFE, 0xFF] + utf16(plain, big: true), "utf-8") == "ä€😀")
        #expect(try text(utf16(plain, big: false)) == "ä€😀")
        #expect(try text(utf16(plain, big: true)) == "ä€😀")
        #expect(try text(utf16(plain, big: false), "utf-16") == "ä€😀")
        #expect(try text(utf16("<?xml version='1.0' encoding='UTF-16'?>" + plain, big: true)) == "ä€😀")
        let declared = Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>".utf8)
        #expect(try text(declared + [0xE4] + Array("</a>".utf8)) == "ä")
        #expect(try text(declared + Array("ä</a>".utf8), "\"UTF-8\"") == "ä")
        #expect(try text(Array("<a>".utf8) + [0xA4] + Array("</a>".utf8), "iso-8859-15") == "€")
        #expect(try text(Array("<a>".utf8) + [0xE0] + Array("</a>".utf8), "ISO-8859-7") == "ΰ")
        #expect(try text(Array("<a>".utf8) + [0x80, 0x9F] + Array("</a>".utf8), "windows-1252") == "€Ÿ")
        #expect(
            try XML.Document(string: "<?xml version='1.0' encoding='ISO-8859-1'?><a>€</a>").root.text == "€")
    }

    @Test func `PL-98 unknown or violated encodings are errors`() throws {
        func code(_ bytes: [UInt8], _ charset: String? = nil) -> XMLError.Code? {
            do {
                let read = try text(bytes, charset)
                Issue.record("read as \(read)")
            } catch let error as XMLError {
                return error.code
            } catch {}
            return nil
        }
        let (open, close) = (Array("<a>\n ".utf8), Array("</a>".utf8))
        #expect(code(open + close, "klingon-8") == .encoding)
        #expect(code(Array("<?xml version='1.0' encoding='nonsense'?><a/>".utf8)) == .encoding)
        #expect(code(Array("<?xml version='1.0' encoding='UTF-16'?><a/>".utf8)) == .encoding)
        for bad: [UInt8] in [
            [0xE4], [0xC0, 0x80], [0xC1, 0x81], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82],
            [0xE0, 0x80, 0x80],
        ] {
            #expect(code(open + bad + close) == .encoding)
        }
        #expect(code(open + [0x81] + close, "windows-1252") == .encoding)
        #expect(
            code([0xFE, 0xFF] + utf16("<a>", big: true) + [0xD8, 0x00] + utf16("</a>", big: true))
                == .encoding)
        #expect(code([0xFE, 0xFF] + utf16("<a/>", big: true) + [0]) == .encoding)
        let error = #expect(throws: XMLError.self) { try XML.Document(bytes: open + [0xE4] + close) }
        #expect(error?.line == 2 && error?.column == 2)
    }
}
