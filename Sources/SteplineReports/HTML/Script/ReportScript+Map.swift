extension ReportScript {
    /// The graph of a large run: marks and lines that are moved and zoomed, drawn once they come into sight.
    static let map = #"""
        const board = byID("map");
        const place2D = source.map
            ? Object.fromEntries(["left", "top", "boxes", "frames", "frameName"].map((name) => [name, column(name)]))
            : null;
        const sight = { scale: 1, x: 0, y: 0, isDue: false };
        const side = 12;

        function beginMap() {
            if (!board) return;
            for (const axis of [place2D.left, place2D.top]) {
                for (let i = 1; i < count; i++) axis[i] += axis[i - 1];
            }
            byID("graph-map").hidden = false;
            const observer = new IntersectionObserver((entries) => {
                if (entries.some((entry) => entry.isIntersecting)) start();
            }, { rootMargin: "200px" });
            const start = () => {
                observer.disconnect();
                if (sight.isDue) return;
                sight.isDue = true;
                showMapBegin();
                answerMap();
            };
            observer.observe(board);
            board.onfocus = start;
        }

        function showWholeMap() { showMap(Infinity); }

        // All of it, if its marks can be told apart then; else its begin.
        function showMapBegin() { showMap(0.5); }

        function showMap(most) {
            const { width, height } = source.map, room = board.getBoundingClientRect();
            const [byWidth, byHeight] = [(room.width - 24) / width, (room.height - 24) / height];
            const whole = Math.min(2, byWidth, byHeight);
            sight.scale = whole >= most || most > 1 ? whole : Math.min(most, Math.max(byWidth, byHeight));
            const middle = (side, size) => Math.max(12, (side - size * sight.scale) / 2);
            sight.x = middle(room.width, width);
            sight.y = middle(room.height, height);
            drawMap();
        }

        function drawMap() {
            if (!sight.isDue) return;
            const { draw, width, height } = pen(board), { scale } = sight;
            const { left, top, boxes, frames, frameName } = place2D;
            draw.setTransform(draw.getTransform().translate(sight.x, sight.y).scale(scale, scale));
            const seen = {
                left: -sight.x / scale - 40, top: -sight.y / scale - 40,
                right: (width - sight.x) / scale + 40, bottom: (height - sight.y) / scale + 40,
            };
            draw.lineWidth = 1 / scale;
            draw.strokeStyle = colors.muted;
            draw.font = `600 12px ${getComputedStyle(document.body).fontFamily}`;
            draw.textBaseline = "middle";
            // Names that could not be read are left out.
            const write = (text, x, y, room) => {
                if (scale * 12 < 6) return;
                draw.save();
                draw.beginPath();
                draw.rect(x, y - 9, room, 18);
                draw.clip();
                draw.fillStyle = colors.ink;
                draw.fillText(text, x, y);
                draw.restore();
            };
            for (let i = 0; i < frames.length; i += 4) {
                const [x, y, width, height] = frames.subarray(i, i + 4);
                draw.strokeRect(x, y, width, height);
                write(source.texts[frameName[i / 4]], x + 10, y + 12, width - 16);
            }
            const isBox = new Set();
            for (let i = 0; i < boxes.length; i += 3) {
                const row = boxes[i];
                isBox.add(row);
                const { line, tint } = colors[stateNames[state[row]]];
                draw.fillStyle = tint;
                draw.strokeStyle = line;
                draw.beginPath();
                draw.roundRect(left[row], top[row], boxes[i + 1], boxes[i + 2], 9);
                draw.fill();
                draw.stroke();
                drawMark(draw, stateNames[state[row]], left[row] + 6, top[row] + 6, side / 18);
                write(names[row], left[row] + 24, top[row] + 12, boxes[i + 1] - 30);
            }
            drawEdges(draw, seen, scale, isBox);
            drawMarks(draw, seen, scale, isBox);
        }

        function drawEdges(draw, seen, scale, isBox) {
            const { left, top } = place2D, critical = new Path2D(), usual = new Path2D();
            for (let row = 0; row < count; row++) {
                const y = top[row] + side / 2, x = left[row] - 1;
                for (let i = edges.of[row]; i < edges.of[row + 1]; i++) {
                    const from = row - edges.from[i], begin = left[from] + (isBox.has(from) ? 0 : side);
                    const height = top[from] + side / 2;
                    if (Math.max(x, begin) < seen.left || Math.min(x, begin) > seen.right) continue;
                    if (Math.max(y, height) < seen.top || Math.min(y, height) > seen.bottom) continue;
                    const path = isCritical(row) && isCritical(from) ? critical : usual;
                    path.moveTo(begin, height);
                    if (scale < 0.25 || height == y && x > begin) {
                        path.lineTo(x, y);
                    } else {
                        const pull = x > begin ? Math.max(10, (x - begin) / 2) : 40;
                        path.bezierCurveTo(begin + pull, height, x - pull, y, x, y);
                    }
                }
            }
            draw.lineWidth = 0.6 / Math.max(scale, 0.4);
            draw.strokeStyle = colors.muted;
            // Of very many lines each is fainter, so that the marks are seen through them.
            draw.globalAlpha = limited(3000 / edges.from.length, 0.1, 0.35);
            draw.stroke(usual);
            draw.globalAlpha = 1;
            draw.lineWidth = 1.6 / Math.min(scale, 1);
            draw.strokeStyle = colors.accent;
            draw.stroke(critical);
        }

        function drawMarks(draw, seen, scale, isBox) {
            const { left, top } = place2D, isSmall = scale * side < 7;
            const least = Math.max(side, 1.6 / scale), dots = states.map(() => new Path2D());
            const few = [];
            for (let row = 0; row < count; row++) {
                const [x, y] = [left[row], top[row]];
                if (isBox.has(row) || x > seen.right || x < seen.left || y > seen.bottom || y < seen.top) continue;
                if (row == view.selected) few.push(row);
                if (isSmall) dots[state[row]].rect(x, y, least, least);
                else drawMark(draw, stateNames[state[row]], x, y, side / 18);
            }
            dots.forEach((path, place) => {
                draw.fillStyle = colors[stateNames[place]].line;
                draw.fill(path);
            });
            draw.strokeStyle = colors.accent;
            draw.lineWidth = 2 / scale;
            for (const row of few) draw.strokeRect(left[row] - 4, top[row] - 4, side + 8, side + 8);
        }

        // MARK: Moving it

        function zoomMap(factor, x = board.clientWidth / 2, y = board.clientHeight / 2) {
            const scale = limited(sight.scale * factor, 0.005, 8), by = scale / sight.scale;
            Object.assign(sight, { scale, x: x - (x - sight.x) * by, y: y - (y - sight.y) * by });
            drawMap();
        }

        function moveMap(x, y) {
            sight.x += x;
            sight.y += y;
            drawMap();
        }

        function rowOnMap(x, y) {
            const [atX, atY] = [(x - sight.x) / sight.scale, (y - sight.y) / sight.scale];
            const reach = Math.max(side / 2 + 2, 4 / sight.scale);
            let found = -1, nearest = reach;
            for (let row = 0; row < count; row++) {
                const far = Math.max(Math.abs(place2D.left[row] + side / 2 - atX),
                    Math.abs(place2D.top[row] + side / 2 - atY));
                if (far < nearest) [found, nearest] = [row, far];
            }
            return found;
        }

        function answerMap() {
            const redraw = oncePerFrame(drawMap);
            let held = null;
            board.onpointerdown = (event) => {
                held = { x: event.offsetX, y: event.offsetY, far: 0 };
                board.setPointerCapture(event.pointerId);
            };
            board.onpointermove = (event) => {
                const { offsetX: x, offsetY: y } = event;
                if (!held) {
                    const row = rowOnMap(x, y), text = row < 0 ? "" : tip(row);
                    if (board.title != text) board.title = text;
                    return;
                }
                sight.x += x - held.x;
                sight.y += y - held.y;
                held = { x, y, far: held.far + Math.abs(x - held.x) + Math.abs(y - held.y) };
                redraw();
            };
            board.onpointerup = (event) => {
                const row = held && held.far < 5 ? rowOnMap(event.offsetX, event.offsetY) : -1;
                held = null;
                if (row >= 0) { showDetails(row); drawMap(); }
            };
            board.addEventListener("wheel", (event) => {
                if (!event.ctrlKey && !event.metaKey) return;
                event.preventDefault();
                zoomMap(Math.exp(-limited(event.deltaY, -100, 100) / 150), event.offsetX, event.offsetY);
            }, { passive: false });
            const moves = {
                "+": () => zoomMap(1.5), "=": () => zoomMap(1.5), "-": () => zoomMap(1 / 1.5), "0": showWholeMap,
                ArrowLeft: () => moveMap(60, 0), ArrowRight: () => moveMap(-60, 0),
                ArrowUp: () => moveMap(0, 60), ArrowDown: () => moveMap(0, -60),
            };
            board.addEventListener("keydown", (event) => {
                if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(moves, event.key)) return;
                event.preventDefault();
                moves[event.key]();
            });
            const actions = { in: () => zoomMap(1.5), out: () => zoomMap(1 / 1.5), all: showWholeMap };
            for (const button of document.querySelectorAll("[data-map]")) {
                button.onclick = actions[button.dataset.map];
            }
        }
        """#
}
