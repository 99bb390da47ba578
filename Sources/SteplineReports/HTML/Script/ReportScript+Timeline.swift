extension ReportScript {
    /// When the tasks in sight ran, drawn beside their names, in the window of time that is shown.
    static let timeline = #"""
        const bars = byID("bars");
        const edge = 10;
        const endingStates = hasTimes ? source.endingStates : [];

        const place = (time, width) =>
            edge + (time - view.from) / (view.to - view.from) * (width - 2 * edge);
        const timeAt = (x, width) =>
            limited(view.from + (x - edge) / (width - 2 * edge) * (view.to - view.from), view.from, view.to);

        function drawTimes() {
            if (!hasTimes) return;
            const step = drawAxis();
            drawBars(step);
            drawOverview();
            byID("window").textContent = view.to - view.from < length
                ? `${tickText(view.from, step / 10)} – ${tickText(view.to, step / 10)}` : "";
        }

        function drawAxis() {
            const { draw, width, height } = pen(byID("axis"));
            const step = tickStep(view.to - view.from, Math.max(2, width / 90));
            draw.font = `11px ${getComputedStyle(document.body).fontFamily}`;
            draw.textBaseline = "middle";
            draw.fillStyle = colors.muted;
            for (const time of ticks(step)) {
                const text = tickText(time, step), x = place(time, width), half = draw.measureText(text).width / 2;
                draw.fillText(text, limited(x - half, 2, width - 2 * half - 2), height / 2);
            }
            return step;
        }

        function ticks(step) {
            const times = [];
            for (let i = Math.ceil(view.from / step); i * step <= view.to; i++) times.push(i * step);
            return times;
        }

        function drawBars(step) {
            if (viewport.hidden) return;
            bars.style.height = viewport.clientHeight + "px";
            const { draw, width, height } = pen(bars);
            draw.fillStyle = colors.rule;
            for (const time of ticks(step)) draw.fillRect(Math.round(place(time, width)), 0, 1, height);
            const first = firstInSight(), top = viewport.scrollTop - first * rowHeight;
            for (let i = 0; i < countInSight() && first + i < listed.length; i++) {
                drawRow(draw, width, listed[first + i], i * rowHeight - top);
            }
        }

        function drawRow(draw, width, row, y) {
            for (let i = attempts.of[row]; i < attempts.of[row + 1]; i++) {
                const begin = attempts.begin[i], end = begin + attempts.time[i];
                if (end < view.from || begin - waited[i] > view.to) continue;
                const x = limited(place(begin, width), -9, width + 9);
                const wide = Math.max(2.5, limited(place(end, width), -9, width + 9) - x);
                const waitFrom = limited(place(begin - waited[i], width), -9, width + 9);
                if (x - waitFrom >= 1.5) {
                    draw.strokeStyle = colors.muted;
                    draw.lineWidth = 2;
                    draw.lineCap = "round";
                    draw.setLineDash([1, 4]);
                    draw.beginPath();
                    draw.moveTo(waitFrom + 1, y + rowHeight / 2);
                    draw.lineTo(x - 2, y + rowHeight / 2);
                    draw.stroke();
                    draw.setLineDash([]);
                }
                drawBar(draw, endingStates[attempts.ending[i]], x, y + 8, wide, rowHeight - 16);
                if (isCritical(row)) {
                    draw.fillStyle = colors.accent;
                    draw.fillRect(x, y + rowHeight - 6, wide, 2);
                }
                const isLast = i + 1 == attempts.of[row + 1];
                if (isLast && x + wide + 20 < width && x + wide > 0) {
                    drawMark(draw, endingStates[attempts.ending[i]], x + wide + 5, y + rowHeight / 2 - 6, 0.67);
                }
            }
        }

        // What failed is hatched and what was cancelled is empty: nobody has to tell colours apart.
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
            draw.lineWidth = 2;
            draw.beginPath();
            const begin = Math.max(x, -10), end = Math.min(x + width, bars.clientWidth + 10);
            for (let at = begin - height - (begin - height) % 6; at < end + height; at += 6) {
                draw.moveTo(at, y + height);
                draw.lineTo(at + height, y);
            }
            draw.stroke();
            draw.restore();
        }

        // MARK: Zooming

        function show(from, to) {
            const least = Math.min(length, Math.max(10, length / 1e8));
            const span = limited(to - from, least, length);
            const middle = (from + to) / 2;
            view.from = limited(middle - span / 2, 0, length - span);
            view.to = view.from + span;
            if (view.onlyVisible) return showList();
            drawTimes();
            writeAddress();
        }

        function zoom(factor, around = zoomCenter()) {
            show(around - (around - view.from) * factor, around + (view.to - around) * factor);
        }

        // The task that is chosen stays in sight.
        function zoomCenter() {
            const row = view.selected, middle = (view.from + view.to) / 2;
            if (row < 0 || !hasRun(row)) return middle;
            const own = (total.began[row] + total.ended[row]) / 2;
            return own >= view.from && own <= view.to ? own : middle;
        }

        function pan(part) {
            const by = limited((view.to - view.from) * part, -view.from, length - view.to);
            show(view.from + by, view.to + by);
        }

        function zoomToTask(row) {
            if (!hasRun(row)) return;
            const [begin, end] = [total.began[row] - waited[attempts.of[row]], total.ended[row]];
            const room = Math.max((end - begin) * 0.15, length / 1e6);
            show(begin - room, end + room);
        }

        function tip(row) {
            const lines = [fullName(row)];
            for (let i = attempts.of[row]; i < attempts.of[row + 1]; i++) {
                lines.push(`attempt ${attempts.number[i]}: ${source.endings[attempts.ending[i]]}, `
                    + timeText(attempts.time[i]) + workerText(i));
                for (let w = attempts.waits[i]; w < attempts.waits[i + 1]; w++) {
                    lines.push(`  waited ${timeText(waits.time[w])} for ${source.texts[waits.cause[w]]}`);
                }
            }
            return lines.join("\n");
        }
        """#
}
