/// Makes a catalogue of about `size` bytes, the same each time.
func catalogue(size: Int) -> [UInt8] {
    var state: UInt64 = 42
    func random(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
    }
    let words = [
        "stone", "river", "über", "light", "garden", "of", "the", "and", "night", "train", "A&amp;B",
    ]
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<catalogue xmlns:m=\"urn:meta\">\n"
    var number = 0
    while text.utf8.count < size - 100 {
        number += 1
        text +=
            "  <item id=\"\(number)\" kind=\"\(words[random(5)])\" m:rank=\"\(random(1000))\">\n    <title>"
        for _ in 0..<(3 + random(6)) { text += words[random(words.count)] + " " }
        text +=
            "</title>\n    <price currency=\"EUR\">\(random(9000)).\(10 + random(90))</price>\n    <m:tags>"
        for _ in 0..<random(5) { text += "<tag>\(words[random(words.count)])</tag>" }
        text += "</m:tags>\n    <description>"
        for _ in 0..<(5 + random(30)) { text += words[random(words.count)] + " " }
        text += "</description>\n  </item>\n"
    }
    return Array((text + "</catalogue>\n").utf8)
}
