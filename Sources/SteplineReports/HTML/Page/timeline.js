// The timeline: draws when the tasks in sight ran, within the window from `view.from` to `view.to`.

const bars = byID("bars");
// The free space at both sides of the timeline, in pixels.
const margin = 10;

let colors = {};
function readColors() {
    const style = getComputedStyle(document.documentElement);
    const value = (name) => style.getPropertyValue("--" + name).trim();
    colors = {};
    for (const name of ["muted", "rule", "card", "accent"]) colors[name] = value(name);
    for (const name of stateNames) colors[name] = { line: value(name), tint: value(name + "-tint") };
}

// Clears a canvas, and returns a context that counts in CSS pixels.
function context(canvas) {
    const { width, height } = canvas.getBoundingClientRect(), ratio = window.devicePixelRatio || 1;
    const [wide, high] = [width, height].map((side) => Math.max(1, Math.round(side * ratio)));
    if (canvas.width != wide || canvas.height != high) [canvas.width, canvas.height] = [wide, high];
    const draw = canvas.getContext("2d");
    draw.setTransform(ratio, 0, 0, ratio, 0, 0);
    draw.clearRect(0, 0, width, height);
    return { draw, width, height };
}

const xOf = (time, width) => margin + (time - view.from) / (view.to - view.from) * (width - 2 * margin);
const timeAt = (x, width) =>
    limited(view.from + (x - margin) / (width - 2 * margin) * (view.to - view.from), view.from, view.to);

function drawTimes() {
    if (!hasTimes) return;
    const step = drawAxis();
    drawBars(step);
    byID("window").textContent = view.to - view.from < runLength
        ? `${tickText(view.from, step / 10)} – ${tickText(view.to, step / 10)}` : "";
}

function ticks(step) {
    const times = [];
    for (let i = Math.ceil(view.from / step); i * step <= view.to; i++) times.push(i * step);
    return times;
}

function drawAxis() {
    const { draw, width, height } = context(byID("axis"));
    const step = tickStep(view.to - view.from, Math.max(2, width / 90));
    draw.font = `11px ${getComputedStyle(document.body).fontFamily}`;
    draw.textBaseline = "middle";
    draw.fillStyle = colors.muted;
    for (const time of ticks(step)) {
        const text = tickText(time, step), half = draw.measureText(text).width / 2;
        draw.fillText(text, limited(xOf(time, width) - half, 2, width - 2 * half - 2), height / 2);
    }
    return step;
}

function drawBars(step) {
    if (viewport.hidden) return;
    bars.style.height = viewport.clientHeight + "px";
    const { draw, width, height } = context(bars);
    draw.fillStyle = colors.rule;
    for (const time of ticks(step)) draw.fillRect(Math.round(xOf(time, width)), 0, 1, height);
    const first = firstInSight(), top = viewport.scrollTop - first * rowHeight;
    listed.slice(first, first + countInSight()).forEach((task, i) => drawRow(draw, width, task, i * rowHeight - top));
    if (!drag) return;
    draw.fillStyle = colors.accent;
    draw.globalAlpha = 0.2;
    draw.fillRect(Math.min(drag.begin, drag.end), 0, Math.abs(drag.end - drag.begin), height);
    draw.globalAlpha = 1;
}

function drawRow(draw, width, task, y) {
    // Far outside of the canvas all coordinates are alike. Bounds keep them small enough for the canvas.
    const x = (time) => limited(xOf(time, width), -9, width + 9);
    for (const attempt of task.ran) {
        const waitBegin = attempt.begin - attempt.waited;
        if (attempt.end < view.from || waitBegin > view.to) continue;
        const begin = x(attempt.begin), wide = Math.max(2.5, x(attempt.end) - begin);
        if (begin - x(waitBegin) >= 1.5) {
            draw.strokeStyle = colors.muted;
            draw.lineWidth = 2;
            draw.setLineDash([2, 3]);
            draw.beginPath();
            draw.moveTo(x(waitBegin), y + rowHeight / 2);
            draw.lineTo(begin - 1, y + rowHeight / 2);
            draw.stroke();
            draw.setLineDash([]);
        }
        drawBar(draw, attempt.stateName, begin, y + 8, wide, rowHeight - 16);
        if (task.critical) {
            draw.fillStyle = colors.accent;
            draw.fillRect(begin, y + rowHeight - 6, wide, 2);
        }
    }
}

// Failed bars are hatched and cancelled ones are empty: states are told apart without colors, too.
function drawBar(draw, name, x, y, width, height) {
    const { line, tint } = colors[name];
    draw.beginPath();
    draw.roundRect(x, y, width, height, Math.min(3, width / 2));
    draw.fillStyle = name == "finished" ? line : name == "cancelled" ? colors.card : tint;
    draw.fill();
    draw.strokeStyle = line;
    draw.lineWidth = 1.2;
    if (name == "executing") draw.setLineDash([3, 2.5]);
    draw.stroke();
    draw.setLineDash([]);
    if (name != "failed") return;
    draw.save();
    draw.clip();
    draw.beginPath();
    for (let at = x - height - (x - height) % 6; at < x + width + height; at += 6) {
        draw.moveTo(at, y + height);
        draw.lineTo(at + height, y);
    }
    draw.stroke();
    draw.restore();
}

// MARK: Zooming

// Shows a window of time, moved and widened so that it lies within the run and isn't empty.
function showWindow(from, to) {
    const span = limited(to - from, Math.min(runLength, Math.max(10, runLength / 1e8)), runLength);
    view.from = limited((from + to) / 2 - span / 2, 0, runLength - span);
    view.to = view.from + span;
    drawTimes();
}

// Zooms around the selected task, if it is in the window; else around the middle.
function zoom(factor) {
    const own = view.selected ? (view.selected.began + view.selected.ended) / 2 : NaN;
    const around = own >= view.from && own <= view.to ? own : (view.from + view.to) / 2;
    showWindow(around - (around - view.from) * factor, around + (view.to - around) * factor);
}

function pan(part) {
    const by = limited((view.to - view.from) * part, -view.from, runLength - view.to);
    showWindow(view.from + by, view.to + by);
}

function zoomToTask(task) {
    const begin = task.began - task.ran[0].waited, room = Math.max((task.ended - begin) * 0.15, runLength / 1e6);
    showWindow(begin - room, task.ended + room);
}

// The drag over the bars that is under way: where it began and is now, in pixels.
let drag = null;

function answerDrags() {
    bars.onpointerdown = (event) => {
        if (event.button != 0) return;
        drag = { begin: event.offsetX, end: event.offsetX };
        bars.setPointerCapture(event.pointerId);
    };
    bars.onpointermove = (event) => {
        if (!drag) return;
        drag.end = event.offsetX;
        drawTimes();
    };
    bars.onpointerup = (event) => {
        if (!drag) return;
        const [low, high] = [Math.min(drag.begin, drag.end), Math.max(drag.begin, drag.end)];
        drag = null;
        if (high - low < 4) selectAt(event);
        else showWindow(timeAt(low, bars.clientWidth), timeAt(high, bars.clientWidth));
    };
    // Browsers send a click after each drag as well.
    bars.onclick = (event) => event.stopPropagation();
    bars.onpointercancel = () => { drag = null; drawTimes(); };
}
