"use strict";
/* Builds the report from the data in the page. Texts of users go in as text nodes only; the SVG is
   the drawing program's own, with its texts escaped. */
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const main = document.getElementById("main");
  const nonce = document.currentScript.nonce;
  const rank = { falsified: 0, failed: 1, undecided: 2, refused: 3, held: 4, none: 5 };
  const rows = 100;

  /* ---- small things ---- */

  const make = (tag, attributes = {}, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes))
      if (value === true) node.setAttribute(name, "");
      else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
    for (const child of children) if (child !== null && child !== undefined) node.append(child);
    return node;
  };
  const number = (text, digits = 4) => {
    if (text === null || text === undefined || text === "") return "";
    const value = Number(text);
    if (!Number.isFinite(value)) return text;
    if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
    /* As figures write numbers. */
    const size = Math.abs(value), [head, power] = value.toExponential(digits - 1).split("e");
    const raised = [...String(Number(power))].map((c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]).join("");
    return (size >= 0.01 && size < 1e3 ? value.toPrecision(digits) : `${head} × 10${raised}`).replace("-", "−");
  };
  const orderText = (value, half) => {
    if (value === null) return "";
    const v = Number(value), u = Number(half);
    if (half === null || !(u > 0) || u >= 10) return v.toFixed(3).replace(/^-(?=0\.0*$)/, "").replace("-", "−");
    let decimals = Math.max(0, Math.ceil(-Math.log10(u)));
    if (u * 10 ** decimals < 2) decimals++;
    decimals = Math.min(decimals, 4);
    return `${v.toFixed(decimals).replace(/^-(?=0\.?0*$)/, "").replace("-", "−")}(${Math.ceil(u * 10 ** decimals)})`;
  };
  const announce = (text) => { document.getElementById("announce").textContent = text; };

  /* ---- highlighting one method everywhere ---- */

  let lit = null;
  const apply = (root) => {
    for (const group of root.querySelectorAll("svg .method"))
      group.style.opacity = lit === null || group.dataset.method === lit ? "1" : "0.12";
    for (const row of root.querySelectorAll("tr[data-method]"))
      row.classList.toggle("lit", lit !== null && row.dataset.method === lit);
  };
  const highlight = (method) => {
    lit = lit === method ? null : method;
    for (const button of document.querySelectorAll("#methods button"))
      button.setAttribute("aria-pressed", String(button.dataset.method === lit));
    apply(document);
    announce(lit === null ? "No method is highlighted" : `${lit} is highlighted`);
  };
  const methodBar = () => {
    const bar = document.getElementById("methods");
    const all = [];
    for (const study of data.studies)
      study.methods.forEach((name, i) => { if (!all.some((m) => m.name === name)) all.push({ name, tint: study.tints[i] }); });
    bar.append(make("span", {}, "Highlight:"));
    for (const { name, tint } of all) {
      const button = make("button", { type: "button", "aria-pressed": "false", "data-method": name }, name);
      button.style.setProperty("--tint", tint);
      button.addEventListener("click", () => highlight(name));
      bar.append(button);
    }
    bar.hidden = all.length < 2;
  };

  /* ---- a table that sorts, filters and shows a page of rows at a time ---- */

  const table = ({ caption, columns, items, filters }) => {
    const state = { sort: -1, down: false, page: 0, chosen: {}, text: "" };
    const box = make("div");
    const controls = make("div", { class: "controls" });
    const head = make("tr"), body = make("tbody"), note = make("span", { "aria-live": "polite" });
    const texts = items.map((item) => columns.map((c) => String(c.sortable ? c.sortable(item) : c.text(item) ?? "")).join("\u0000").toLowerCase());
    const setters = {};
    for (const filter of filters) {
      const select = make("select", {}, make("option", { value: "" }, "all"));
      for (const value of [...new Set(items.map(filter.value))].sort())
        select.append(make("option", { value }, value === "" ? "–" : value));
      select.addEventListener("change", () => { state.chosen[filter.name] = select.value; state.page = 0; fill(); });
      setters[filter.name] = select;
      controls.append(make("label", {}, filter.name, select));
    }
    const search = make("input", { type: "search", placeholder: "part of a row" });
    search.addEventListener("input", () => { state.text = search.value.toLowerCase(); state.page = 0; fill(); });
    controls.append(make("label", {}, "contains", search));
    const back = make("button", { type: "button", class: "button" }, "previous");
    const on = make("button", { type: "button", class: "button" }, "next");
    /* A button that was disabled would lose the keyboard's focus. */
    const turn = (button, by) => button.addEventListener("click", () => {
      if (button.getAttribute("aria-disabled") === "true") return;
      state.page += by;
      fill();
    });
    turn(back, -1);
    turn(on, 1);
    controls.append(back, on);
    columns.forEach((column, k) => {
      const button = make("button", { type: "button" }, column.name);
      const cell = make("th", { scope: "col", class: column.number ? "number" : null }, button);
      button.addEventListener("click", () => {
        state.down = state.sort === k ? !state.down : false;
        state.sort = k;
        state.page = 0;
        [...head.children].forEach((other) => other.removeAttribute("aria-sort"));
        cell.setAttribute("aria-sort", state.down ? "descending" : "ascending");
        fill();
      });
      head.append(cell);
    });
    const fill = () => {
      let shown = items.map((item, i) => i).filter((i) =>
        filters.every((f) => !state.chosen[f.name] || f.value(items[i]) === state.chosen[f.name]) &&
        (state.text === "" || texts[i].includes(state.text)));
      if (state.sort >= 0) {
        const column = columns[state.sort], key = column.key ?? column.text;
        const value = (i) => key(items[i]);
        shown.sort((a, b) => {
          const x = value(a), y = value(b);
          const order = x === y ? a - b : x === null || x === "" ? 1 : y === null || y === "" ? -1 : x < y ? -1 : 1;
          return state.down && x !== y ? -order : order;
        });
      }
      const pages = Math.max(1, Math.ceil(shown.length / rows));
      state.page = Math.min(Math.max(state.page, 0), pages - 1);
      back.setAttribute("aria-disabled", String(state.page === 0));
      on.setAttribute("aria-disabled", String(state.page === pages - 1));
      note.textContent = shown.length === 0 ? ": no row" :
        `: rows ${state.page * rows + 1} to ${Math.min(shown.length, (state.page + 1) * rows)} of ${shown.length}`;
      body.replaceChildren(...shown.slice(state.page * rows, (state.page + 1) * rows).flatMap((i) => {
        const item = items[i], row = make("tr", { "data-method": item.method ?? null });
        for (const column of columns) {
          const cell = make("td", { class: [column.number ? "number" : "", column.class ? column.class(item) : ""].join(" ").trim() || null });
          cell.append(column.node ? column.node(item, row) : String(column.text(item) ?? ""));
          row.append(cell);
        }
        row.classList.toggle("lit", lit !== null && item.method === lit);
        return [row];
      }));
    };
    box.append(controls, make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
      make("table", {}, make("caption", {}, caption, note), make("thead", {}, head), body)));
    fill();
    return {
      box,
      choose: (chosen) => {
        state.chosen = {}; state.text = ""; search.value = ""; state.page = 0;
        for (const [name, select] of Object.entries(setters)) {
          select.value = chosen[name] ?? "";
          state.chosen[name] = select.value;
        }
        fill();
      },
    };
  };

  /* ---- parts ---- */

  const contents = document.getElementById("contents");
  const section = (parent, id, title) => {
    const part = make("section", { id, "aria-labelledby": `${id}-title` }, make("h2", { id: `${id}-title`, tabindex: "-1" }, title));
    parent.append(part);
    contents.append(make("li", {}, make("a", { href: `#${id}` }, title)));
    return part;
  };
  const goTo = (id) => {
    document.getElementById(id).scrollIntoView();
    document.getElementById(`${id}-title`).focus({ preventScroll: true });
  };

  const spec = (text) => make("span", { class: "spec" }, text);

  const report = (study, index, many) => {
    const at = (name) => (many ? `${name}-${index + 1}` : name);
    const title = (text) => (many ? `${study.name}: ${text}` : text);
    const findings = study.findings.map((f) => ({
      problem: study.problems[f[0]], method: study.methods[f[1]] ?? study.others[f[1] - study.methods.length], precision: f[2],
      quantity: f[3], value: f[4], word: f[5], uncertainty: f[6], expected: f[7], verdict: f[8], reason: f[9],
    }));
    const records = study.records.map((r) => ({
      problem: study.problems[r[0]], method: study.methods[r[1]] ?? study.others[r[1] - study.methods.length], precision: r[2],
      kind: r[3], role: r[4], step: r[5], tolerance: r[6], until: r[7], status: r[8], reason: r[9],
      seconds: r[10], command: r[11], provenance: r[12], scalars: r[13].map(([name, value]) => [study.scalars[name], value]), output: r[14], key: r[15],
    }));
    const notes = [];
    let recordTable = null;
    /* Every number leads to the records that it was made from. */
    const link = (finding, text) => {
      const anchor = make("a", { href: `#${at("records")}`, title: `records of ${finding.method} on ${finding.problem}, ${finding.precision}` }, text);
      anchor.addEventListener("click", (event) => {
        event.preventDefault();
        recordTable.choose({ problem: finding.problem, integrator: finding.method, precision: finding.precision });
        goTo(at("records"));
      });
      return anchor;
    };
    const shown = (f) => f.word ?? (f.quantity.startsWith("order") ? orderText(f.value, f.uncertainty) : number(f.value));

    /* figures: what each is of; one of each problem is large, the others are folded */
    const seen = new IntersectionObserver((entries) => {
      for (const entry of entries) if (entry.isIntersecting) { entry.target.dispatchEvent(new Event("draw")); seen.unobserve(entry.target); }
    }, { rootMargin: "600px" });
    const kinds = ["outcome-map", "certificates", "order", "order of q", "order of p", "energy", "work-precision", "constraint"];
    const place = (f) => {
      const what = f.problem === null ? f.title.split(" of ")[0] : f.title.split(` of ${f.problem}`)[0];
      const k = kinds.indexOf(what);
      return k < 0 ? kinds.length : k;
    };
    const figureOf = (figure, large) => {
      const drawing = make("div", { class: "drawing" });
      drawing.addEventListener("draw", () => {
        if (drawing.firstChild) return;
        /* What moves brings its style along; texts of users hold no "<". */
        const source = figure.svg.replaceAll("<style>", `<style nonce="${nonce}">`);
        const svg = new DOMParser().parseFromString(source, "image/svg+xml").documentElement;
        if (svg.localName !== "svg") return;
        for (const group of svg.querySelectorAll(".method")) {
          const at = Number([...group.classList].find((c) => c.startsWith("method-")).slice(7)) - 1;
          group.setAttribute("data-method", study.methods[at]);
        }
        const there = [...new Set([...svg.querySelectorAll(".method")].map((g) => g.dataset.method))];
        /* A picture has nothing in it that can have the focus. */
        svg.setAttribute("role", svg.querySelector("[tabindex]") ? "group" : "img");
        svg.setAttribute("aria-label", figure.title + (there.length > 0 ? `; with ${there.join(", ")}` : ""));
        drawing.append(document.importNode(svg, true));
        drawing.firstChild.style.maxWidth = `${1.5 * Number(svg.getAttribute("viewBox").split(" ")[2])}px`;
        for (const group of drawing.querySelectorAll(".method"))
          group.addEventListener("click", () => highlight(group.dataset.method));
        apply(drawing);
      });
      seen.observe(drawing);
      return make("figure", { class: large ? "large" : null }, drawing, make("figcaption", {}, figure.title));
    };
    const byProblem = new Map();
    for (const figure of study.figures) {
      if (!byProblem.has(figure.problem)) byProblem.set(figure.problem, []);
      byProblem.get(figure.problem).push(figure);
    }
    const number_of = (problem) => { const k = problem === null ? -1 : study.problems.indexOf(problem); return k < 0 && problem !== null ? study.problems.length : k; };
    const groups = [...byProblem].sort((a, b) => number_of(a[0]) - number_of(b[0]))
      .map(([problem, figures]) => ({ problem, figures: figures.sort((a, b) => place(a) - place(b)) }));

    /* what was learnt */
    const learnt = section(main, at("learnt"), title("What was learnt"));
    if (study.learnt.length > 0) {
      const list = make("dl", { class: "learnt" });
      for (const [head, text] of study.learnt) list.append(make("dt", {}, head), make("dd", {}, text));
      learnt.append(list);
    }
    const counts = make("ul", { class: "counts" });
    for (const word of ["held", "falsified", "undecided", "refused", "failed"]) {
      const count = findings.filter((f) => f.verdict === word).length;
      counts.append(make("li", { class: count > 0 ? word : null }, make("b", {}, String(count)), word));
    }
    learnt.append(counts);
    if (groups.length > 0) learnt.append(figureOf(groups[0].figures.shift(), true));
    notes.push("A number in parentheses is the half-width in the last digits. “!” follows what is falsified, “?” what is undecided. Every number leads to its records.");

    /* verdicts */
    const drawVerdicts = () => {
      const verdicts = section(main, at("verdicts"), title("Verdicts"));
      for (const word of ["falsified", "failed", "undecided", "refused"]) {
        const some = findings.filter((f) => f.verdict === word);
        if (some.length === 0) continue;
        const reasons = new Map();
        for (const f of some) {
          const id = `${f.quantity}\u0000${f.reason}`;
          if (!reasons.has(id)) reasons.set(id, []);
          reasons.get(id).push(f);
        }
        const list = make("ul");
        for (const group of reasons.values()) {
          const f = group[0];
          const item = make("li", {}, make("span", { class: word }, `${word} `), link(f, f.quantity), " of ", spec(f.method), " on ", spec(f.problem), `, ${f.precision}`);
          if (group.length > 1) item.append(` and ${group.length - 1} more`);
          if (f.value !== null || f.word !== null) item.append(`: ${shown(f)}${f.expected ? `, expected ${f.expected}` : ""}`);
          if (f.reason) item.append(`; ${f.reason}`);
          list.append(item);
        }
        const bad = word === "falsified" || word === "failed";
        verdicts.append(make("details", { open: bad }, make("summary", {}, `${some.length} ${word}, ${reasons.size} ${reasons.size === 1 ? "reason" : "reasons"}`), list));
      }

      if (verdicts.children.length === 1) verdicts.append(make("p", {}, "Every claim that was decided holds."));
    };

    /* at a glance */
    const glance = section(main, at("glance"), title("At a glance"));
    const headings = {
      "order of q": "order q", "order of p": "order p", "energy class": "energy",
      "order of lambda": "order λ", "order of mu": "order μ", "order of lambda-mean": "order (λ+μ)/2",
      "order of lambda-sum": "order λ+μ", "constraint max": "max|g|", "hidden max": "max|ġ|",
    };
    const wanted = Object.keys(headings);
    const blocks = new Map();
    for (const f of findings) {
      const quantity = wanted.find((w) => f.quantity === w || f.quantity.startsWith(`${w} (`));
      if (!quantity) continue;
      const name = `${f.problem}, ${f.precision}`;
      if (!blocks.has(name)) blocks.set(name, new Map());
      const block = blocks.get(name);
      if (!block.has(f.method)) block.set(f.method, {});
      block.get(f.method)[quantity] ??= f;
    }
    const drawBlock = (name, block) => {
      const used = wanted.filter((w) => [...block.values()].some((row) => row[w]));
      const head = make("tr", {}, make("th", { scope: "col" }, "integrator"));
      for (const w of used) head.append(make("th", { scope: "col", class: "number" }, headings[w]));
      const body = make("tbody");
      for (const [method, row] of block) {
        const line = make("tr", { "data-method": method }, make("th", { scope: "row" }, spec(method)));
        for (const w of used) {
          const f = row[w];
          const cell = make("td", { class: `number ${f ? f.verdict : ""}` });
          const text = f && (f.word === "undetermined" ? "" : shown(f) || "–");
          const digits = f && /max$/.test(f.quantity.split(" (")[0]) && f.word === null ? number(f.value, 2) || "–" : text;
          if (f) cell.append(link(f, digits + ({ falsified: " !", undecided: " ?" }[f.verdict] ?? "")));
          line.append(cell);
        }
        body.append(line);
      }
      return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": name },
        make("table", { "aria-label": name }, make("thead", {}, head), body));
    };
    let drawn = 0;
    for (const [name, block] of blocks) {
      if (drawn++ < 12) { glance.append(make("h3", {}, spec(name)), drawBlock(name, block)); continue; }
      const more = make("details", {}, make("summary", {}, spec(name)));
      more.addEventListener("toggle", () => { if (more.open && more.children.length === 1) more.append(drawBlock(name, block)); });
      glance.append(more);
    }

    /* figures of each problem */
    if (groups.length > 0) {
      const part = section(main, at("figures"), title("Figures"));
      groups.forEach((group, i) => {
        if (group.problem !== null) part.append(make("h3", {}, spec(group.problem)));
        if (i > 0) part.append(figureOf(group.figures.shift(), true));
        if (group.figures.length === 0) return;
        const grid = make("div", { class: "figures" });
        for (const figure of group.figures) grid.append(figureOf(figure, false));
        part.append(make("details", {}, make("summary", {}, `${group.figures.length} more ${group.figures.length === 1 ? "figure" : "figures"}`), grid));
      });
      notes.push("The first figure of the first problem stands above. The bar below the page, or a click on a curve, highlights one method in all figures and tables.");
      if (study.undrawn > 0)
        notes.push(`Of ${study.undrawn} more problems no figure is drawn; a study can name the problems that its figures are of.`);
      if (study.chosen)
        notes.push("The figures are a choice; “shakedown plot STORE --all” draws every one.");
    }
    drawVerdicts();

    /* values */
    const values = section(main, at("values"), title("All values"));
    if (study.values > findings.length)
      notes.push(`Of ${study.values} values these are what is falsified, undecided or failed, and the first of the others; “shakedown show STORE --values” has all.`);
    values.append(table({
      caption: `${findings.length} analysed values`,
      items: findings,
      filters: [
        { name: "problem", value: (f) => f.problem }, { name: "integrator", value: (f) => f.method },
        { name: "precision", value: (f) => f.precision }, { name: "verdict", value: (f) => f.verdict === "none" ? "" : f.verdict },
      ],
      columns: [
        { name: "problem", text: (f) => f.problem, node: (f) => spec(f.problem) },
        { name: "integrator", text: (f) => f.method, node: (f) => spec(f.method) },
        { name: "precision", text: (f) => f.precision },
        { name: "quantity", text: (f) => f.quantity },
        { name: "value", number: true, text: (f) => f.word ?? f.value ?? "", key: (f) => f.word ?? (f.value === null ? null : Number(f.value)),
          node: (f) => { const a = link(f, f.word ?? (number(f.value) || "–")); if (f.value !== null) a.title = f.value; return a; } },
        { name: "uncertainty", number: true, text: (f) => number(f.uncertainty, 2), key: (f) => f.uncertainty === null ? null : Number(f.uncertainty) },
        { name: "expected", text: (f) => f.expected },
        { name: "verdict", text: (f) => f.verdict === "none" ? "" : f.verdict, key: (f) => rank[f.verdict], class: (f) => f.verdict },
      ],
    }).box);

    /* records */
    const part = section(main, at("records"), title("Records"));
    if (study.cells > records.length)
      notes.push(`Of ${study.cells} cells these are the ones that did not finish, and the first of the others; “shakedown show STORE --records” has all.`);
    const details = (r) => {
      const list = make("dl");
      const say = (name, ...what) => { list.append(make("dt", {}, name)); const d = make("dd"); d.append(...what); list.append(d); };
      if (r.command) say("command", make("code", {}, r.command));
      say("status", r.status + (r.reason ? `: ${r.reason}` : ""));
      if (r.seconds !== null) say("wall time", `${number(r.seconds, 3)} s`);
      if (r.key) say("key", make("code", {}, r.key));
      if (r.provenance !== null) say("made by", make("a", { href: `#provenance-${r.provenance}` }, `provenance ${r.provenance}`));
      if (r.output) say("it printed", make("pre", {}, r.output));
      const counters = make("div", { class: "counters" });
      for (const [name, value] of r.scalars)
        counters.append(make("div", {}, make("span", {}, name), make("span", { title: value }, number(value))));
      return make("div", { class: "record" }, list, counters);
    };
    recordTable = table({
      caption: `${records.length} cells`,
      items: records,
      filters: [
        { name: "problem", value: (r) => r.problem }, { name: "integrator", value: (r) => r.method },
        { name: "precision", value: (r) => r.precision }, { name: "kind", value: (r) => r.kind },
        { name: "status", value: (r) => r.status },
      ],
      columns: [
        { name: "problem", text: (r) => r.problem, node: (r) => spec(r.problem) },
        { name: "integrator", text: (r) => r.method, node: (r) => spec(r.method) },
        { name: "precision", text: (r) => r.precision },
        { name: "kind", text: (r) => r.role === "measured" ? r.kind : `${r.kind}, ${r.role}` },
        { name: "step", number: true, text: (r) => r.step ?? (r.tolerance ? `tol. ${r.tolerance}` : ""), key: (r) => (r.step ?? r.tolerance) === null ? null : Number(r.step ?? r.tolerance) },
        { name: "until", number: true, text: (r) => r.until, key: (r) => Number(r.until) },
        { name: "status", text: (r) => r.status, class: (r) => (r.status === "ok" ? "" : r.status === "refused" ? "refused" : "failed") },
        { name: "record", text: () => "", node: (r, row) => {
          const button = make("button", { type: "button", class: "button", "aria-expanded": "false" }, "open");
          button.addEventListener("click", () => {
            const open = button.getAttribute("aria-expanded") === "true";
            button.setAttribute("aria-expanded", String(!open));
            button.textContent = open ? "open" : "close";
            if (open) row.nextSibling.remove();
            else row.after(make("tr", {}, make("td", { colspan: "8" }, details(r))));
          });
          return button;
        } },
      ],
    });
    part.append(recordTable.box);

    /* what was asked */
    const asked = section(main, at("asked"), title("What was asked"));
    if (study.purpose) asked.append(make("p", {}, study.purpose));
    asked.append(make("details", { open: study.text.length < 4000 }, make("summary", {}, `the study file ${study.path ?? ""}`), make("pre", {}, study.text)));

    /* notes */
    const said = make("ul");
    for (const note of notes) said.append(make("li", {}, note));
    section(main, at("notes"), title("Notes")).append(said);
  };

  const provenance = () => {
    const part = section(main, "provenance", "Provenance");
    for (const p of data.provenance) {
      const list = make("dl");
      for (const [name, value] of Object.entries(p.facts))
        list.append(make("dt", {}, name), make("dd", {}, value));
      part.append(make("section", { id: `provenance-${p.row}`, class: "record" }, make("h3", {}, `Provenance ${p.row}`), list));
    }
  };

  document.getElementById("lead").textContent = data.studies.map((s) => (data.studies.length > 1 ? `${s.name}: ` : "") + (s.purpose ?? "")).join(" · ");
  data.studies.forEach((study, i) => report(study, i, data.studies.length > 1));
  provenance();
  methodBar();
  let closed = [];
  addEventListener("beforeprint", () => {
    for (const drawing of document.querySelectorAll(".drawing")) drawing.dispatchEvent(new Event("draw"));
    closed = [...document.querySelectorAll("details:not([open])")];
    for (const one of closed) one.open = true;
  });
  addEventListener("afterprint", () => { for (const one of closed) one.open = false; });
  document.documentElement.dataset.ready = "yes";
})();
