// The screens, one at a time, and the keys.
const screens = [...app.querySelectorAll("section.screen")];
const items = screens.filter((s) => s.dataset.item && !s.dataset.practice);
const next = document.getElementById("next");
const keysBox = document.getElementById("keys");
const undone = []; // what was answered before each change: {item, was}
let at = null;     // the screen that is shown
let since = 0;     // from when the item has been on the screen, ms; 0: it is not, for another tab is
let dirty = "";    // the item whose comment is being written
let typing = 0;

const questions = (s) => [...s.querySelectorAll("fieldset[data-question]")];
const asked = (s) => questions(s).filter((f) => !f.hidden);
const answer = (s) => answers.get(s.dataset.item);
const isOpen = (s) => asked(s).some((f) => !f.dataset.optional && !answer(s).labels[f.dataset.question]);
const isLeft = (s) => isOpen(s) && !answer(s).flagged; // who flagged an item and went on is not asked for it again
const heading = (s) => s.querySelector("h2");
const speak = (text) => { document.getElementById("say").textContent = text; };

const copied = (a) => ({...a, labels: {...a.labels}});

// prune hides what is not asked after the answers as they are, and drops its answer.
function prune(s) {
  const labels = {};
  for (const f of questions(s)) {
    const is = answer(s).labels[f.dataset.question];
    f.hidden = !!f.dataset.when && labels[f.dataset.when] !== f.dataset.label;
    if (is && !f.hidden) labels[f.dataset.question] = is;
  }
  answer(s).labels = labels;
}

// draw shows what is answered of an item.
function draw(s) {
  const a = answer(s);
  prune(s);
  for (const f of questions(s)) {
    for (const radio of f.querySelectorAll("input")) radio.checked = a.labels[f.dataset.question] === radio.value;
    f.disabled = shut;
  }
  for (const area of s.querySelectorAll("textarea")) {
    if (area.value !== a[area.dataset.field] && !(dirty && document.activeElement === area)) area.value = a[area.dataset.field];
    area.disabled = shut;
  }
  const flag = s.querySelector("[data-flagged]");
  if (flag) {
    flag.checked = a.flagged;
    flag.disabled = shut;
    s.querySelector(".why").hidden = !a.flagged;
  }
  const done = !isOpen(s);
  s.querySelector(".done").hidden = !done;
  if (s.dataset.practice) feedback(s, done);
  if (s === at) activate(s);
}

function drawAll() {
  for (const s of screens) if (s.dataset.item) draw(s);
  drawCount();
}

// feedback tells what was expected, once a practice item is answered.
function feedback(s, done) {
  const box = s.querySelector(".feedback");
  for (const li of box.querySelectorAll("li")) {
    const same = answer(s).labels[li.dataset.expects] === li.dataset.label;
    li.querySelector(".verdict").textContent = same ? "✓ so did you" : "✗ you answered otherwise";
  }
  box.hidden = !done;
}

function drawCount() {
  const done = items.filter((s) => !isOpen(s)).length;
  document.getElementById("progress").value = done;
  document.getElementById("count").textContent = done + " of " + items.length + " answered";
  app.querySelector("[data-do=undo]").setAttribute("aria-disabled", String(!undone.length));
  next.classList.toggle("primary", !!at && (!at.dataset.item || !isLeft(at)));
  if (at && at.dataset.place === "end") drawEnd(items.filter(isLeft), items.filter((s) => isOpen(s) && !isLeft(s)).length);
}

// drawEnd says what is open, how many items were flagged in the place of an answer, and what is to be done.
function drawEnd(open, flagged) {
  const left = flagged ? " Flagged and left open: " + number(flagged, "item") + ", which is fine." : "";
  document.getElementById("endhead").textContent = open.length ? number(open.length, "item") + (open.length === 1 ? " is" : " are") + " open"
    : flagged ? "All is done" : "All items are answered";
  document.getElementById("endwords").textContent = (open.length ? "Answer what is open, or stop here and go on another time." + (served ? "" : " Your answers stay in this browser; a file of them can be saved now, too.")
    : served ? "Thank you. When it says “Saved” above, you may close this page. You may also go back and change answers."
      : kept("filed") ? "Thank you. Your answers are in a file among your downloads. Send that file back to who sent you this page."
        : "Thank you. One thing is left: save your answers to a file and send that file back to who sent you this page.") + left;
  document.getElementById("firstopen").hidden = !open.length;
  const file = document.getElementById("filenow");
  if (file) file.classList.toggle("primary", !open.length);
  document.getElementById("openlist").replaceChildren(...open.map((s) => {
    const li = document.createElement("li"), b = document.createElement("button");
    b.type = "button";
    b.textContent = s.dataset.name.split(" ")[1];
    b.setAttribute("aria-label", s.dataset.name);
    b.addEventListener("click", () => go(s.dataset.place));
    li.append(b);
    return li;
  }));
}

let pointed = false; // the focus was set by a pointer, which leaves it on what was just answered

// activate marks the question that digits answer: the one that the keyboard led to, else the first open one, else the last.
function activate(s) {
  const all = asked(s), open = all.filter((f) => !answer(s).labels[f.dataset.question]);
  const focused = !pointed && all.find((f) => f.contains(document.activeElement));
  const active = focused || open.find((f) => !f.dataset.optional) || open[0] || all[all.length - 1];
  for (const f of questions(s)) f.classList.toggle("active", f === active);
  return active;
}

// change changes what is answered of an item, keeps it, and remembers what it was.
function change(s, how) {
  if (shut) return;
  flush();
  count();
  undone.push({place: s.dataset.place, was: copied(answer(s))});
  how(answer(s));
  settle(s);
}

function settle(s) {
  draw(s);
  if (s.dataset.practice) keep("practice/" + s.dataset.item, JSON.stringify(answer(s).labels));
  else save(s.dataset.item);
  drawCount();
}

function choose(s, f, value) {
  const before = !isOpen(s);
  change(s, (a) => { a.labels[f.dataset.question] = value; });
  const name = f.querySelector("input:checked").closest("label").querySelector("b").textContent;
  const active = activate(s), done = !isOpen(s);
  const what = s.dataset.practice && done ? s.querySelector(".feedback").innerText : done ? "Everything is answered." : "Next: " + active.querySelector("legend").textContent;
  speak(name + ". " + what);
  const to = done && !before ? s.querySelector(".feedback") : active;
  if (to && (pointed || !f.contains(document.activeElement) || !done)) to.scrollIntoView({block: "nearest"});
}

function undo() {
  flush();
  const last = undone.pop();
  if (!last || shut) return speak("Nothing to undo.");
  if (at.dataset.place !== last.place) go(last.place);
  const {labels, comment, flag, flagged} = last.was;
  count();
  Object.assign(answer(at), {labels, comment, flag, flagged});
  settle(at);
  for (const area of at.querySelectorAll("textarea")) area.value = answer(at)[area.dataset.field];
  speak("Undone. " + heading(at).textContent);
}

// flush keeps a comment that is being written.
function flush() {
  clearTimeout(typing);
  if (!dirty) return;
  const item = dirty;
  dirty = "";
  count();
  save(item);
}

// count adds the time for which the item has been on the screen to it.
function count() {
  const now = performance.now();
  if (at && at.dataset.item && since) answer(at).seconds += (now - since) / 1000;
  since = document.hidden ? 0 : now;
}

// go leads to a screen.
function go(place) {
  if (at && at.dataset.place === place) return;
  location.hash = place;
  show(place, true);
}

// show shows a screen; false: there is none of that name.
function show(place, focus) {
  const s = screens.find((s) => s.dataset.place === place);
  if (!s || s === at) return !!s;
  flush();
  count();
  if (at) at.hidden = true;
  at = s;
  s.hidden = false;
  since = document.hidden ? 0 : performance.now();
  if (s.dataset.item) draw(s);
  troubleLine.hidden = true;
  keep("place", place);
  drawCount();
  const where = s.dataset.name || heading(s).textContent;
  document.title = where + " · " + app.dataset.title;
  document.getElementById("where").textContent = s.dataset.item ? where : "";
  app.querySelector("[data-do=back]").disabled = s === screens[0];
  next.hidden = !s.dataset.item; // the others have a button of their own
  more(false);
  app.querySelector(".steps").hidden = s === screens[0];
  speak("");
  if (focus) {
    heading(s).focus({preventScroll: true});
    scrollTo(0, 0);
  }
  drawJump();
  fit();
  return true;
}

function step(by) {
  const to = screens[screens.indexOf(at) + by];
  if (to) go(to.dataset.place);
}

const tools = document.getElementById("tools");
const menu = app.querySelector(".more");

// more opens or closes the menu, which holds the tools where the window is too narrow for them to stand there always.
function more(on) {
  if (tools.classList.contains("shown") === on) return;
  menu.setAttribute("aria-expanded", String(on));
  tools.classList.toggle("shown", on);
  if (on) tools.querySelector("button").focus();
  else if (tools.contains(document.activeElement)) menu.focus();
}

// asking says whether the question that is to be answered is in the window.
function asking() {
  const f = at.querySelector("fieldset.active");
  return !!f && f.getBoundingClientRect().top < innerHeight - 120;
}

function drawJump() {
  const b = document.getElementById("jump"), was = b.hidden;
  b.hidden = !at.dataset.item || asking() && scrollY < 40; // text and question are both in the window
  if (!b.hidden) say(b, asking() ? "Text ↑" : "Question ↓");
  if (b.hidden !== was) fit();
}

// fit leaves words out of what sticks to the window's edges where the text is so large that little else would be seen, and
// says beside the questions in short what they are about where the text is longer than the window and there is room.
function fit() {
  const bar = app.querySelector(".steps"), top = app.querySelector(".status"), back = bar.querySelector("[data-do=back]");
  app.classList.remove("tall");
  app.classList.toggle("tall", bar.offsetHeight > 2 * back.offsetHeight || top.offsetHeight > innerHeight / 5);
  if (!at.querySelector(".short")) return;
  at.classList.add("told");
  const room = innerHeight - bar.offsetHeight - top.offsetHeight;
  at.classList.toggle("told", at.querySelector(".parts").offsetHeight > room && at.querySelector(".asks").scrollHeight <= room);
}

// jump leads to the question, or from it back to the text, where they stand one below the other.
function jump() {
  if (asking()) {
    heading(at).focus({preventScroll: true});
    scrollTo(0, 0);
  } else {
    const f = activate(at), to = at.querySelector(".short") || f;
    (f.querySelector("input:checked") || f.querySelector("input")).focus({preventScroll: true});
    to.scrollIntoView({block: "start"});
  }
  drawJump();
}

function nextOpen() {
  const from = items.indexOf(at);
  const open = [...items.slice(from + 1), ...items.slice(0, from + 1)].find(isLeft);
  go(open ? open.dataset.place : "end");
}

let cameFrom = "";
function instructions() {
  if (at === screens[0]) return begin();
  cameFrom = at.dataset.place;
  app.querySelector("[data-do=begin]").textContent = "Back to where you were";
  go("instructions");
}

function begin() {
  if (cameFrom) go(cameFrom);
  else step(1);
}

function marks(on) {
  keep("marks", on ? "on" : "off");
  const b = app.querySelector("[data-do=marks]");
  if (!b) return;
  b.setAttribute("aria-pressed", String(on));
  for (const e of app.querySelectorAll(".marked")) e.hidden = !on;
  for (const e of app.querySelectorAll(".plain")) e.hidden = on;
}
