extension ReportScript {
    /// The whole run in one strip: how many ran at each time, what of it is listed, and which window is shown.
    static let overview = #"""
        const strip = byID("overview");

        // How many attempts ran in each of so many equal parts of the run; those listed, and of these the failed.
        function density(parts) {
            const changes = [0, 1, 2].map(() => new Float64Array(parts + 1));
            for (let row = 0; row < count; row++) {
                const isListed = placeOf[row] >= 0;
                for (let i = attempts.of[row]; i < attempts.of[row + 1]; i++) {
                    const first = limited(Math.floor(attempts.begin[i] / length * parts), 0, parts - 1);
                    const end = (attempts.begin[i] + attempts.time[i]) / length * parts;
                    const after = limited(Math.floor(end), first + 1, parts);
                    const kinds = !isListed ? 1 : endingStates[attempts.ending[i]] == "failed" ? 3 : 2;
                    for (let kind = 0; kind < kinds; kind++) {
                        changes[kind][first] += 1;
                        changes[kind][after] -= 1;
                    }
                }
            }
            for (const sums of changes) {
                for (let i = 1; i <= parts; i++) sums[i] += sums[i - 1];
            }
            return changes;
        }

        let known = { key: "", sums: [] };
        let dragged = null;

        function drawOverview() {
            if (!strip) return;
            const { draw, width, height } = pen(strip);
            const parts = Math.max(1, Math.floor(width - 2 * edge));
            const key = `${parts} ${view.query} ${[...view.states]} ${view.onlyCritical} ${listed.length}`;
            if (known.key != key) known = { key, sums: density(parts) };
            const most = known.sums[0].reduce((a, b) => Math.max(a, b), 1);
            const fills = [colors.rule, colors.finished.line, colors.failed.line];
            known.sums.forEach((sums, kind) => {
                draw.fillStyle = fills[kind];
                draw.beginPath();
                for (let i = 0; i < parts; i++) {
                    if (!sums[i]) continue;
                    const high = Math.max(kind == 2 ? 3 : 1.5, sums[i] / most * (height - 14));
                    draw.rect(edge + i, height - 4 - high, 1, high);
                }
                draw.fill();
            });
            const x = (time) => edge + time / length * (width - 2 * edge);
            const [from, to] = dragged ?? [view.from, view.to];
            if (from > 0 || to < length) {
                draw.fillStyle = colors.card;
                draw.globalAlpha = 0.62;
                draw.fillRect(0, 0, x(from), height);
                draw.fillRect(x(to), 0, width - x(to), height);
                draw.globalAlpha = 1;
                draw.strokeStyle = colors.accent;
                draw.lineWidth = 1.5;
                draw.strokeRect(x(from), 1, Math.max(2, x(to) - x(from)), height - 2);
            }
            strip.setAttribute("aria-label",
                `How many tasks ran at each time: at most ${grouped(most)} at once, in ${timeText(length)}`);
        }

        // Drags over a drawing choose a window of time; a click is told with its place.
        function onDrag(canvas, timeOf, clicked) {
            let begin = null;
            canvas.onpointerdown = (event) => {
                if (event.button != 0) return;
                begin = event.offsetX;
                canvas.setPointerCapture(event.pointerId);
            };
            canvas.onpointermove = (event) => {
                if (begin == null || Math.abs(event.offsetX - begin) < 4) return;
                const times = [timeOf(begin), timeOf(event.offsetX)];
                dragged = [Math.min(...times), Math.max(...times)];
                drawOverview();
            };
            canvas.onpointerup = (event) => {
                if (begin == null) return;
                begin = null;
                const chosen = dragged;
                dragged = null;
                if (chosen) show(...chosen);
                else clicked(event);
            };
            canvas.onpointercancel = () => { begin = dragged = null; drawOverview(); };
        }

        function answerPointer() {
            const overall = (x) => limited((x - edge) / (strip.clientWidth - 2 * edge) * length, 0, length);
            onDrag(strip, overall, (event) => {
                const half = (view.to - view.from) / 2, middle = overall(event.offsetX);
                show(middle - half, middle + half);
            });
            strip.ondblclick = () => show(0, length);
            const rowAt = (event) => listed[Math.floor((event.offsetY + viewport.scrollTop) / rowHeight)] ?? -1;
            const inWindow = (x) => timeAt(x, bars.clientWidth);
            onDrag(bars, inWindow, (event) => {
                if (rowAt(event) >= 0) select(rowAt(event));
                grid.focus({ preventScroll: true });
            });
            bars.ondblclick = (event) => { if (rowAt(event) >= 0) zoomToTask(rowAt(event)); };
            bars.addEventListener("pointermove", (event) => {
                const text = rowAt(event) >= 0 ? tip(rowAt(event)) : "";
                if (bars.title != text) bars.title = text;
            });
            // With Ctrl, as pinching tells it, the wheel zooms; sideways it moves; else it scrolls the list.
            for (const canvas of [bars, strip]) {
                canvas.addEventListener("wheel", (event) => {
                    if (event.ctrlKey || event.metaKey) {
                        const time = canvas == bars ? inWindow(event.offsetX) : overall(event.offsetX);
                        zoom(Math.exp(limited(event.deltaY, -100, 100) / 150), time);
                    } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
                        pan(event.deltaX / canvas.clientWidth);
                    } else {
                        return;
                    }
                    event.preventDefault();
                }, { passive: false });
            }
        }
        """#
}
