/// The place and size of a task in a drawing.
struct TaskBox {
    var x = 0.0
    var y = 0.0
    var width = 0.0
    var height = 0.0

    var centerY: Double { y + height / 2 }
    var right: Double { x + width }
    var bottom: Double { y + height }
}
