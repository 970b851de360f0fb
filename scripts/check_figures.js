"use strict";
/* Overlaps in the figures of the page: boxes of text, as the browser set them, with each other, with
   all lines and marks, and with the page's edges. Adds a line for each fault to the page, and one
   with the number of figures and texts checked. With data-cover on the page, also the share of each
   figure that the boxes of its axes cover: at least 60 % for one box, 65 % for several. */
(() => {
  const faults = [];
  let texts = 0;
  const page = 16 / 2.54 * 96; // two thirds of a page of 24 cm
  const margin = 0.5;

  /* The approximate corners of a text's ink: without the space that a font has above capitals, and
     below the line if no letter extends there. */
  const cornersOf = (text, matrix) => {
    const box = text.getBBox(), deep = /[gjpqyQ,;()[\]{}|μφ]/.test(text.textContent) ||
      text.querySelectorAll("tspan").length > 1;
    const top = box.y + 0.17 * box.height, bottom = box.y + (deep ? 0.95 : 0.8) * box.height;
    return [[box.x, top], [box.x + box.width, top], [box.x + box.width, bottom], [box.x, bottom]]
      .map(([x, y]) => [matrix.a * x + matrix.c * y + matrix.e, matrix.b * x + matrix.d * y + matrix.f]);
  };
  const spanOf = (points) => ({
    left: Math.min(...points.map((p) => p[0])), right: Math.max(...points.map((p) => p[0])),
    top: Math.min(...points.map((p) => p[1])), bottom: Math.max(...points.map((p) => p[1])) });
  const apart = (a, b) => a.right < b.left || b.right < a.left || a.bottom < b.top || b.bottom < a.top;

  /* True if two convex sets of points, or lines, meet: by the separating axis. */
  const meet = (a, b) => {
    if (apart(a.span, b.span)) return false;
    for (const set of [a.points, b.points])
      for (let i = 0; i < set.length; i++) {
        const [x, y] = set[i], [u, v] = set[(i + 1) % set.length], n = [v - y, x - u];
        const along = (points) => points.map((p) => p[0] * n[0] + p[1] * n[1]);
        const p = along(a.points), q = along(b.points), least = 1e-9 * Math.hypot(...n);
        if (Math.max(...p) <= Math.min(...q) + least || Math.max(...q) <= Math.min(...p) + least) return false;
      }
    return true;
  };
  const shape = (points) => ({ points, span: spanOf(points) });

  /* The segments of a path as gnuplot writes it: M, L and absolute coordinates. */
  const piecesOf = (path, matrix) => {
    const pieces = [];
    let from = null, first = null;
    const place = (x, y) => [matrix.a * x + matrix.c * y + matrix.e, matrix.b * x + matrix.d * y + matrix.f];
    for (const [, letter, x, y] of path.getAttribute("d").matchAll(/([MLZz])\s*(?:(-?[\d.]+)[ ,]+(-?[\d.]+))?/g)) {
      const to = /z/i.test(letter) ? first : place(Number(x), Number(y));
      if (letter === "M") first = to;
      else if (from && to) pieces.push(shape([from, to]));
      from = to;
    }
    return pieces;
  };

  const check = (name, svg) => {
    const say = (what) => faults.push(`${name}: ${what}`);
    const [, , width, height] = svg.getAttribute("viewBox").split(/[ ,]+/).map(Number);
    svg.style.width = `${width}px`;
    svg.style.height = `${height}px`;
    const base = svg.getScreenCTM().inverse();
    const all = [...svg.querySelectorAll("text")].filter((t) => t.textContent.trim() && getComputedStyle(t).visibility !== "hidden")
      .map((t) => ({ text: t.textContent.trim().replace(/\s+/g, " "), ...shape(cornersOf(t, base.multiply(t.getScreenCTM()))) }));
    texts += all.length;
    if (height > page + 1) say(`${Math.round(height / 96 * 25.4)} mm high, more than two thirds of a page`);
    const out = (s) => s.left < -margin || s.top < -margin || s.right > width + margin || s.bottom > height + margin;
    for (const t of all) {
      if (out(t.span)) say(`"${t.text}" leaves the page`);
      if (/(^|= |tol\. |< )[-−(]?[\d.]+e[-+]?\d/.test(t.text)) say(`"${t.text}" is not written as the others`);
    }
    all.forEach((t, i) => {
      for (const u of all.slice(i + 1)) if (meet(t, u)) say(`"${t.text}" over "${u.text}"`);
    });
    /* The border of a panel is a closed path of four corners. */
    const boxes = [...new Set([...svg.querySelectorAll("path")].map((path) => path.getAttribute("d").trim()))]
      .filter((d) => /^M(\s*-?[\d.]+,-?[\d.]+\s*L?){4,5}\s*[Zz]$/.test(d))
      .map((d) => spanOf([...d.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map((m) => [Number(m[1]), Number(m[2])])))
      .map((s) => (s.right - s.left) * (s.bottom - s.top)).filter((area) => area > 0.02 * width * height);
    const share = boxes.reduce((a, b) => a + b, 0) / (width * height), least = boxes.length > 1 ? 0.65 : 0.6;
    if (document.body.dataset.cover === "yes" && boxes.length > 0 && share < least)
      say(`boxes cover ${(100 * share).toFixed(1)} %, less than ${100 * least} %`);
    const drawn = (e) => !e.closest("defs") && getComputedStyle(e).visibility !== "hidden" && getComputedStyle(e).display !== "none";
    for (const path of svg.querySelectorAll("path")) {
      const style = getComputedStyle(path);
      if (!drawn(path) || style.stroke === "none" || path.getAttribute("stroke") === "none") continue;
      const pieces = piecesOf(path, base.multiply(path.getScreenCTM()));
      if (pieces.some((p) => out(p.span))) say("a line leaves the page");
      for (const t of all) if (pieces.some((p) => meet(t, p))) say(`a line through "${t.text}"`);
    }
    for (const use of svg.querySelectorAll("use")) {
      if (!drawn(use)) continue;
      const box = use.getBoundingClientRect(), [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
      const half = 0.4 * box.width, centre = new DOMPoint(x, y).matrixTransform(base);
      const mark = shape([[-half, -half], [half, -half], [half, half], [-half, half]].map(([a, b]) => [centre.x + a, centre.y + b]));
      for (const t of all) if (meet(t, mark)) say(`a mark on "${t.text}"`);
    }
  };

  const figures = [...document.querySelectorAll("figure")];
  for (const figure of figures) {
    const svg = figure.querySelector("svg");
    if (svg) check(figure.title, svg);
    else faults.push(`${figure.title}: no figure`);
    svg?.remove();
  }
  const seen = [...new Set(faults)];
  const lines = ["", ...seen, `looked at ${figures.length} figures, ${texts} texts: ${seen.length} faults`, ""];
  document.body.replaceChildren(document.createTextNode(lines.join("\n")));
})();
