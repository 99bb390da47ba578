extension ReportScript {
    /// What all drawings share: elements, colours, canvases, and the marks of the states.
    static let drawing = #"""
        function element(name, attributes = {}, ...children) {
            const made = document.createElement(name);
            for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
            made.append(...children);
            return made;
        }

        const vector = "http://www.w3.org/2000/svg";
        function mark(name) {
            const picture = document.createElementNS(vector, "svg");
            picture.setAttribute("class", "inline");
            picture.setAttribute("viewBox", "0 0 18 18");
            picture.setAttribute("aria-hidden", "true");
            const use = document.createElementNS(vector, "use");
            picture.append(use);
            setMark(picture, name);
            return picture;
        }
        function setMark(picture, name) {
            const use = picture.firstChild;
            if (use.dataset.state == name) return;
            use.dataset.state = name;
            use.setAttribute("href", "#mark-" + name);
            use.setAttribute("class", "mark " + name);
        }

        let colors = {};
        function readColors() {
            const style = getComputedStyle(document.documentElement);
            const value = (name) => style.getPropertyValue("--" + name).trim();
            colors = {};
            for (const name of ["ink", "muted", "rule", "card", "accent", "ground"]) colors[name] = value(name);
            for (const name of stateNames) colors[name] = { line: value(name), tint: value(name + "-tint") };
        }

        // A canvas' pen, which counts in the page's pixels, on an empty sheet.
        function pen(canvas) {
            const { width, height } = canvas.getBoundingClientRect(), ratio = window.devicePixelRatio || 1;
            const [wide, high] = [width, height].map((side) => Math.max(1, Math.round(side * ratio)));
            if (canvas.width != wide || canvas.height != high) [canvas.width, canvas.height] = [wide, high];
            const draw = canvas.getContext("2d");
            draw.setTransform(ratio, 0, 0, ratio, 0, 0);
            draw.clearRect(0, 0, width, height);
            return { draw, width, height };
        }

        // The marks' shapes are those that the page defines for all drawings.
        const shapes = {};
        function markShapes(name) {
            return shapes[name] ??= [...byID("mark-" + name).children].map((shape) => {
                const path = new Path2D(shape.getAttribute("d") || "");
                if (shape.localName == "circle") {
                    path.arc(9, 9, Number(shape.getAttribute("r")), 0, 2 * Math.PI);
                }
                const dashes = (shape.getAttribute("stroke-dasharray") || "").split(" ").filter(Boolean);
                return { path, kind: shape.getAttribute("class"), dashes: dashes.map(Number) };
            });
        }
        function drawMark(draw, name, x, y, scale) {
            draw.save();
            draw.translate(x, y);
            draw.scale(scale, scale);
            draw.lineCap = draw.lineJoin = "round";
            for (const { path, kind, dashes } of markShapes(name)) {
                if (kind == "solid") {
                    draw.fillStyle = colors[name].line;
                    draw.fill(path);
                    continue;
                }
                draw.setLineDash(dashes);
                draw.lineWidth = kind == "cut" ? 1.9 : 1.6;
                draw.strokeStyle = kind == "cut" ? colors.card : colors[name].line;
                draw.stroke(path);
            }
            draw.restore();
        }

        // Calls at most once a frame, however often it is asked to.
        function oncePerFrame(action) {
            let isDue = false;
            return () => {
                if (isDue) return;
                isDue = true;
                requestAnimationFrame(() => { isDue = false; action(); });
            };
        }
        const limited = (value, low, high) => Math.min(Math.max(value, low), Math.max(low, high));
        """#
}
