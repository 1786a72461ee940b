"use strict";
// Buttons that copy commands, and the timeline's zoom. The page is whole without.

for (const button of document.querySelectorAll("button.copy")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const code = button.previousElementSibling;
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      getSelection().selectAllChildren(code);
      document.execCommand("copy");
    }
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
}

// For each row, how many 64ths of a part were spent so up to each part: [part * kinds + kind].
function sums(text, kinds) {
  const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const all = new Array(kinds).fill(0), now = new Array(kinds).fill(0);
  for (let at = 0; at < text.length;) {
    let rest = 64;
    now.fill(0);
    for (; text[at] >= "a"; at += 2) {
      const share = digits.indexOf(text[at + 1]);
      now[text.charCodeAt(at) - 97] = share;
      rest -= share;
    }
    now[text.charCodeAt(at++) - 65] = rest;
    let times = 0;
    for (; text[at] >= "0" && text[at] <= "9"; ++at) times = 10 * times + Number(text[at]);
    for (times = times || 1; times > 0; --times)
      for (let kind = 0, last = all.length - kinds; kind < kinds; ++kind) all.push(all[last + kind] + now[kind]);
  }
  return Float64Array.from(all);
}

function words(ns) {
  const [unit, name] = ns >= 1e9 ? [1e9, "s"] : ns >= 1e6 ? [1e6, "ms"] : ns >= 1e3 ? [1e3, "us"] : [1, "ns"];
  return `${+(ns / unit).toPrecision(4)} ${name}`;
}

function timeline(box, data) {
  const kinds = data.names.length;
  const rows = data.rows.map((text) => sums(text, kinds));
  const plots = [...box.querySelectorAll(".plot")];
  const says = box.querySelector(".says"), ticks = box.querySelector(".ticks");
  const least = Math.min(data.length, 10 * data.part);  // of the view
  let from = 0, to = data.length, drawing = 0, colours = [];

  const canvases = plots.map((plot) => {
    plot.firstElementChild.remove();
    const canvas = document.createElement("canvas");
    canvas.setAttribute("aria-hidden", "true");
    plot.append(canvas);
    return canvas;
  });

  // The share of the time between two moments that each kind takes.
  function shares(row, begin, end) {
    const last = row.length / kinds - 1;
    const at = (moment, kind) => {
      const part = Math.min(moment / data.part, last), whole = Math.floor(part);
      const low = row[whole * kinds + kind];
      return low + (part - whole) * ((row[Math.min(whole + 1, last) * kinds + kind]) - low);
    };
    const scale = data.part / (end - begin) / 64;
    return data.names.map((_, kind) => (at(end, kind) - at(begin, kind)) * scale);
  }

  function take_colours() {
    const style = getComputedStyle(document.documentElement);
    colours = data.names.map((_, kind) => style.getPropertyValue(`--d${kind}`));
    const marks = { 1: "M0 6L6 0M-1 1L1-1M5 7L7 5", 4: "M2 2h2v2h-2z", 5: "M0 1H6M0 4H6", 6: "M0 0L6 6M0 6L6 0" };
    for (const [kind, path] of Object.entries(marks)) {
      const tile = document.createElement("canvas");
      tile.width = tile.height = 6;
      const brush = tile.getContext("2d");
      brush.fillStyle = colours[kind];
      brush.fillRect(0, 0, 6, 6);
      brush.strokeStyle = brush.fillStyle = style.getPropertyValue(`--m${kind}`);
      if (kind === "4") brush.fill(new Path2D(path)); else brush.stroke(new Path2D(path));
      colours[kind] = brush.createPattern(tile, "repeat");
    }
  }

  function draw() {
    drawing = 0;
    canvases.forEach((canvas, index) => {
      const scale = devicePixelRatio || 1;
      const width = canvas.width = Math.round(canvas.clientWidth * scale);
      const height = canvas.height = Math.round(canvas.clientHeight * scale);
      const brush = canvas.getContext("2d");
      const ns = (to - from) / width;
      for (let x = 0; x < width; ++x) {
        const its = shares(rows[index], from + x * ns, from + (x + 1) * ns);
        let y = height;
        for (const kind of data.stacked) {
          const high = its[kind] * height;
          if (high < 0.2) continue;
          brush.fillStyle = colours[kind];
          brush.fillRect(x, y - high, 1, high);
          y -= high;
        }
      }
    });
    const about = (to - from) / Math.max(ticks.clientWidth / 75, 2), power = 10 ** Math.floor(Math.log10(about));
    const step = power * (about / power > 5 ? 10 : about / power > 2 ? 5 : about / power > 1 ? 2 : 1);
    ticks.replaceChildren();
    for (let at = Math.ceil(from / step) * step; at <= from + (to - from) * 0.97; at += step) {
      const tick = document.createElement("span");
      tick.style.left = `${100 * (at - from) / (to - from)}%`;
      tick.textContent = at === 0 ? "0" : words(at);
      ticks.append(tick);
    }
  }

  // `quietly`: nothing is said while something is dragged.
  function show(begin, length, quietly) {
    length = Math.min(Math.max(length, least), data.length);
    from = Math.min(Math.max(begin, 0), data.length - length);
    to = from + length;
    box.dataset.from = Math.round(from);
    box.dataset.to = Math.round(to);
    if (!drawing) drawing = requestAnimationFrame(draw);
    if (!quietly) says.textContent = length === data.length ? `All ${words(length)}` : `${words(from)} to ${words(to)}`;
  }
  const zoom = (factor, at = (from + to) / 2) => show(at - (at - from) * factor, (to - from) * factor);
  const move = (share, quietly) => show(from + share * (to - from), to - from, quietly);
  const actions = {
    in: () => zoom(0.5), out: () => zoom(2), left: () => move(-0.2), right: () => move(0.2), all: () => show(0, data.length),
  };
  const keys = {
    "+": "in", "=": "in", "-": "out", "_": "out", ArrowLeft: "left", ArrowRight: "right", "0": "all", Home: "all",
  };
  const moment = (event) => {
    const place = plots[0].getBoundingClientRect();
    return from + (to - from) * Math.min(Math.max((event.clientX - place.left) / place.width, 0), 1);
  };

  box.querySelectorAll("[data-do]").forEach((button) => button.addEventListener("click", actions[button.dataset.do]));
  box.addEventListener("keydown", (event) => {
    const action = event.ctrlKey || event.altKey || event.metaKey ? undefined : keys[event.key];
    if (!action) return;
    event.preventDefault();
    actions[action]();
  });
  const area = box.querySelector(".rows");
  area.tabIndex = 0;
  area.setAttribute("role", "group");
  area.setAttribute("aria-label", "Timeline: plus and minus zoom, arrows move, 0 shows all");
  // Only then, so that the wheel goes on moving the page over a timeline that nobody asked for.
  area.addEventListener("wheel", (event) => {
    const is_all = to - from >= data.length;
    if (!(event.ctrlKey || area.contains(document.activeElement)) || (is_all && event.deltaY > 0)) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? 0.8 : 1.25, moment(event));
  }, { passive: false });
  area.addEventListener("dblclick", (event) => zoom(0.5, moment(event)));
  let held = null;
  area.addEventListener("pointerdown", (event) => {
    if (event.target.closest(".plot")) held = event.clientX;
  });
  addEventListener("pointerup", () => { held = null; });
  addEventListener("pointercancel", () => { held = null; });
  area.addEventListener("pointermove", (event) => {
    if (held !== null) {
      move((held - event.clientX) / plots[0].clientWidth, true);
      held = event.clientX;
      return;
    }
    const index = plots.indexOf(event.target.closest(".plot"));
    if (index < 0) return;
    const at = moment(event), half = Math.max((to - from) / plots[0].clientWidth, data.part) / 2;
    const its = shares(rows[index], Math.max(at - half, 0), at + half);
    const list = its.map((share, kind) => [share, data.names[kind]]).filter(([share]) => share >= 0.01)
      .sort((a, b) => b[0] - a[0]).map(([share, name]) => `${name} ${Math.round(100 * share)} %`);
    says.textContent = `${plots[index].previousElementSibling.textContent} at ${words(at)}: ${list.join(", ")}`;
  });

  box.classList.add("live");
  box.querySelector(".tools").hidden = false;
  document.querySelector(".keys").hidden = false;
  take_colours();
  new ResizeObserver(() => { if (!drawing) drawing = requestAnimationFrame(draw); }).observe(area);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { take_colours(); draw(); });
  show(0, data.length);
}

const box = document.getElementById("timeline");
if (box) timeline(box, JSON.parse(document.getElementById("timeline-data").textContent));
