/// User actions on the page of a report, as events of a browser.
enum ExplorerScripts {
    static let using = #"""
        function look() {
            const found = {};
            // Without waiting: what a page does in its next frame it does at once.
            view.requestAnimationFrame = (action) => { action(0); return 0; };
            const grid = one("#grid"), search = one("#search"), viewport = one("#viewport");
            for (const canvas of all("canvas")) canvas.setPointerCapture = () => {};
            const press = (target, key) => target.dispatchEvent(
                new view.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
            const write = (text) => {
                search.value = text;
                search.dispatchEvent(new view.Event("input", { bubbles: true }));
            };
            const rows = () => all("#space .row")
                .sort((a, b) => a.getAttribute("aria-rowindex") - b.getAttribute("aria-rowindex"));
            const names = () => rows().map((row) => row.querySelector("bdi").textContent);
            const cells = (name) => rows().map((row) => row.querySelector(".cell." + name).textContent);
            const count = () => one("#count").textContent, focused = () => page.activeElement.id;
            const chosen = () => (grid.getAttribute("aria-activedescendant") || "").slice(4);
            const chip = (name) => one(`.chip[data-state=${name}]`);
            const picture = () => one("#bars").toDataURL() + one("#axis").toDataURL();

            press(page.body, "/");
            found.slash = focused();
            write("ST FEED 4321");
            found.searched = names();
            write("disk is full");
            found.byError = count();
            write("no task has this name");
            found.noSuch = count();
            found.nothingHidden = one("#nothing").hidden;
            press(search, "Escape");
            found.cleared = count();
            press(search, "Escape");
            found.afterEscapes = focused();

            for (const name of ["failed", "blocked"]) {
                chip(name).click();
                found[name] = {
                    count: count(), states: cells("state"), pressed: chip(name).getAttribute("aria-pressed"),
                };
                chip(name).click();
            }
            found.unfiltered = count();
            chip("critical").click();
            found.critical = count();
            chip("critical").click();

            const head = one(".head .took button"), sortOf = () => head.parentElement.getAttribute("aria-sort");
            head.click();
            found.longest = names();
            found.ariaSort = [sortOf()];
            head.click();
            found.shortest = names();
            found.ariaSort.push(sortOf());
            head.click();
            found.ariaSort.push(sortOf());
            const order = (name) => one(`.head .${name} button`).click();
            order("name");
            found.byName = names();
            order("began");

            // Zooming, in each of its ways.
            found.wholeWindow = one("#window").textContent;
            let before = picture();
            const zoomed = () => {
                const [now, window] = [picture(), one("#window").textContent], changed = now != before;
                before = now;
                return { window, changed };
            };
            press(grid, "+");
            found.keyZoom = zoomed();
            press(grid, "ArrowRight");
            found.moved = zoomed();
            const bars = one("#bars"), box = bars.getBoundingClientRect();
            const point = (type, part) => bars.dispatchEvent(new view.PointerEvent(type, {
                clientX: box.left + box.width * part, clientY: box.top + 20, button: 0, bubbles: true,
            }));
            point("pointerdown", 0.4);
            point("pointermove", 0.45);
            point("pointermove", 0.5);
            point("pointerup", 0.5);
            bars.click();
            found.dragZoom = zoomed();
            found.chosenByDrag = chosen();
            point("pointerdown", 0.4);
            point("pointerup", 0.4);
            found.chosenByClick = chosen();

            // The keyboard alone.
            press(grid, "0");
            found.zoomedOut = one("#window").textContent;
            before = picture();
            write("");
            grid.focus();
            found.chosen = ["ArrowDown", "ArrowDown", "ArrowUp", "End", "Home", "PageDown"].map((key) => {
                press(grid, key);
                return chosen();
            });
            chip("failed").click();
            press(grid, "Home");
            press(grid, "Enter");
            const panel = one("#details");
            found.details = panel.textContent;
            found.focus = [focused()];
            [...panel.querySelectorAll("button")].find((button) => button.textContent == "Zoom to it").click();
            found.taskZoom = zoomed();
            press(page.activeElement, "Escape");
            found.focus.push(panel.hidden ? focused() : "details are still shown");
            press(grid, "Enter");
            panel.querySelector("ul button").click();
            found.linked = panel.querySelector("h3 bdi").textContent;

            chip("failed").click();
            const first = names()[0];
            viewport.scrollTop = 700000;
            viewport.dispatchEvent(new view.Event("scroll"));
            found.scrolled = names()[0] != first && rows().every((row) => {
                const [top, sight] = [row.getBoundingClientRect().top, viewport.getBoundingClientRect()];
                return top > sight.top - 400 && top < sight.bottom + 400;
            });
            found.lines = all("#space .row").length;
            return found;
        }
        """#
}
