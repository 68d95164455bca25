// Parts of the page outside the reports: origin of the page, table of contents, glossary.

function origin({ version, created_at: created, command }) {
  const parts = [version && `taut ${version}`, created].filter(Boolean).join(" · ");
  if (!parts && !command) return null;
  return el("p", { class: "soft origin" }, parts, parts && command ? " · " : "", command ? el("code", {}, command) : null);
}

function contents(main, traces) {
  const links = [...main.querySelectorAll("section[id], h1[id]")].filter((place) =>
    traces.length === 1 || ["compared", "glossary"].includes(place.id) || place.matches("h1"));
  const anchors = links.map((place) => el("a", { href: "#" + place.id },
    place.matches("h1") ? place.textContent : place.querySelector("h2, summary").textContent.split(":")[0]));
  // The list starts closed on a narrow screen, so that the verdict is visible without scrolling.
  return el("details", narrow.matches ? {} : { open: "" }, el("summary", {}, "Contents"), el("div", {}, ...anchors));
}

function glossary(words) {
  if (!words.length) return null;
  const entries = words.flatMap(({ word, meaning }) => [el("dt", { id: "word-" + word.replace(/\W+/g, "-") }, word), el("dd", {}, meaning)]);
  return el("section", { id: "glossary" }, el("details", { class: "panel" }, el("summary", {}, "Glossary"), el("dl", {}, ...entries)));
}
