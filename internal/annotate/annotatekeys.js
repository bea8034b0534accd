// What keys and pointers do, and the beginning.
async function device() {
  const out = document.getElementById("device");
  out.hidden = false;
  try {
    const r = await fetch("/device", {method: "POST"});
    if (!r.ok) throw r;
    const got = await r.json();
    out.textContent = "Open this on the other device before " + new Date(got.expires).toLocaleString() + ". It works once: " + new URL(got.link, location.href).href;
  } catch {
    out.textContent = "That did not work. Try again when the connection is back.";
  }
}

const actions = {instructions, begin, undo, device, jump, more: () => more(!tools.classList.contains("shown")), open: nextOpen, next: () => step(1), back: () => step(-1), file: saveFile,
  marks: () => marks(kept("marks") === "off"), keys: () => keysBox.open ? keysBox.close() : keysBox.showModal(), close: () => keysBox.close()};

const keyOf = {ArrowRight: "next", ArrowLeft: "back", i: "instructions", o: "open", u: "undo", d: "marks", "?": "keys"};

function onKey(e) {
  if (e.ctrlKey || e.altKey || e.metaKey || e.isComposing) return;
  const field = e.target.closest("textarea,input:not([type=radio]):not([type=checkbox])");
  if (field) {
    if (e.key === "Escape" && at.contains(field)) heading(at).focus();
    return;
  }
  if (document.getElementById("single").checked === false && e.key.length === 1) return;
  if (keysBox.open && e.key !== "?") return;
  if (e.key === "Escape") return more(false);
  if (e.key === "Enter") {
    if (e.target.closest("button,a,summary,label")) return;
    e.preventDefault();
    return at === screens[0] ? begin() : step(1);
  }
  const digit = /^[1-9]$/.test(e.key) ? e.key : !e.shiftKey && /^Digit[1-9]$/.test(e.code) ? e.code[5] : "";
  const letter = e.key.length === 1 ? e.key.toLowerCase() : e.key;
  if (digit && at.dataset.item) digitKey(Number(digit));
  else if (keyOf[letter]) actions[keyOf[letter]]();
  else if (letter === "c" && at.querySelector("[data-field=comment]")) at.querySelector("[data-field=comment]").focus();
  else if (letter === "f" && at.querySelector("[data-flagged]")) flagKey(at.querySelector("[data-flagged]"));
  else return;
  e.preventDefault();
}

function digitKey(n) {
  const f = activate(at), radio = f && f.querySelectorAll("input")[n - 1];
  if (!radio || f.disabled) return;
  if (f.contains(document.activeElement)) radio.focus();
  choose(at, f, radio.value);
}

function flagKey(box) {
  if (box.disabled) return;
  box.click();
  if (box.checked) at.querySelector("[data-field=flag]").focus();
}

function onInput(e) {
  const area = e.target.closest("textarea[data-field]");
  if (!area) return;
  const item = at.dataset.item;
  if (dirty !== item) {
    flush();
    undone.push({place: at.dataset.place, was: copied(answer(at))});
  }
  dirty = item;
  touched++;
  answer(at)[area.dataset.field] = area.value;
  clearTimeout(typing);
  typing = setTimeout(flush, 800);
  drawCount();
}

function onChange(e) {
  const f = e.target.closest("fieldset[data-question]");
  if (f && e.target.type === "radio") choose(at, f, e.target.value);
  else if (e.target.matches("[data-flagged]")) {
    const on = e.target.checked;
    change(at, (a) => { a.flagged = on; });
    if (on) at.querySelector(".why").scrollIntoView({block: "nearest"});
    speak(on ? "Problem flagged." : "No problem.");
  } else if (e.target.id === "single") keep("single", e.target.checked ? "on" : "off");
  else if (e.target.id === "load" && e.target.files[0]) e.target.files[0].text().then((text) => trouble(loadFile(text)));
}

function listen() {
  document.addEventListener("keydown", (e) => { if (/^(Tab|Arrow)/.test(e.key)) pointed = false; }, true);
  document.addEventListener("pointerdown", () => { pointed = true; }, true);
  addEventListener("scroll", drawJump, {passive: true});
  new ResizeObserver(() => { drawJump(); fit(); }).observe(app.querySelector("h1")); // with the window, and with the size of text
  document.addEventListener("keydown", onKey);
  app.addEventListener("input", onInput);
  app.addEventListener("change", onChange);
  app.addEventListener("focusin", () => { if (at.dataset.item) activate(at); });
  app.addEventListener("focusout", (e) => { if (e.target.matches("textarea")) flush(); });
  app.addEventListener("click", (e) => {
    const b = e.target.closest("[data-do]");
    if (b && actions[b.dataset.do]) actions[b.dataset.do]();
    if (e.target.closest(".more") === null) more(false);
  });
  addEventListener("hashchange", () => show(location.hash.slice(1), true));
  addEventListener("pagehide", flush);
  addEventListener("online", () => { pause = 1000; send(true); });
  document.addEventListener("visibilitychange", () => {
    count();
    flush();
    if (!document.hidden) send(true).then(refresh);
  });
  addEventListener("focus", () => { if (ended) send(true); });
  setInterval(() => { if (shut && !document.hidden) refresh(); }, 30000); // it may be opened again
  addEventListener("storage", (e) => { // another tab answered
    const one = e.newValue && /\/(queue|answer)\/[^/]+$/.test(e.key) && e.key.startsWith(app.dataset.key) ? JSON.parse(e.newValue) : null;
    if (one && answers.has(one.item) && answers.get(one.item).at < one.at) take(one);
    if (one) drawAll();
    if (served) tell(); else tellFile();
  });
  addEventListener("beforeunload", (e) => {
    flush();
    const lost = served ? failed && entriesKept("queue/").length : entriesKept("answer/").length && !kept("filed");
    if (lost) e.preventDefault();
  });
}

// practised takes up what was answered to a practice item, which this browser alone knows.
function practised(s) {
  try {
    answer(s).labels = JSON.parse(kept("practice/" + s.dataset.item)) || {};
  } catch {
    // another program's
  }
}

function start() {
  for (const s of screens) {
    if (s.dataset.item) answers.set(s.dataset.item, blank());
    if (s.dataset.saved) take(JSON.parse(s.dataset.saved));
    if (s.dataset.practice) practised(s);
  }
  for (const e of entriesKept(served ? "queue/" : "answer/")) take(e);
  app.hidden = false;
  drawAll();
  marks(kept("marks") !== "off");
  document.getElementById("single").checked = kept("single") !== "off";
  listen();
  const first = items.some((s) => answer(s).at) ? (items.find(isLeft) || screens[screens.length - 1]).dataset.place : "instructions";
  if (!show(location.hash.slice(1)) && !show(kept("place") || "")) show(first);
  if (served) send();
  else tellFile();
}

start();
