// Sending to the server, or saving to a file; and the words that say how far that is.
const stateLine = document.getElementById("state");
const troubleLine = document.getElementById("trouble");
let shut = "shut" in app.dataset;
let sending = false;
let ended = false;  // the session is over
let tried = 0;      // when that was last looked at: the server counts such tries
let failed = false; // the last attempt did not reach the server
let pause = 1000;   // before the next attempt, ms
let timer = 0;
let touched = 0;    // counts what changed here, so that an older state of the server is told from it

function say(line, text) {
  if (line.textContent !== text) line.textContent = text;
}

function trouble(text) {
  troubleLine.hidden = false;
  say(troubleLine, text);
}

function number(n, what) {
  return n + " " + what + (n === 1 ? "" : "s");
}

function waitWords(n) {
  return number(n, "answer") + (n === 1 ? " waits" : " wait");
}

// tell says in words how far saving is.
function tell(slow) {
  const n = entriesKept("queue/").length;
  const stay = keeps ? "" : " Keep this page open.";
  let text = "Saved";
  if (shut) text = "Closed: no further answers are taken." + (n ? " Not taken: " + number(n, "answer") + "." : "");
  else if (ended && n) text = "Not sent: " + waitWords(n) + ". Your session is over: open your link again in this browser." + stay;
  else if (ended) text = "Your session is over: open your link again in this browser.";
  else if (n && failed) text = "Not sent: " + waitWords(n) + ". They are sent when the connection is back; you may go on." + stay;
  else if (n) text = slow ? "Saving…" : stateLine.textContent;
  else if (!touched) text = "Saved as you go";
  stateLine.dataset.bad = shut || ended || n && failed ? "yes" : "";
  say(stateLine, text);
}

// within is a signal that ends a request after so many ms. Older browsers have no AbortSignal.timeout.
function within(ms) {
  const c = new AbortController();
  setTimeout(() => c.abort(), ms);
  return c.signal;
}

// batch is as much of the queue as one request carries.
function batch() {
  const out = [];
  let size = 0;
  for (const e of entriesKept("queue/")) {
    size += JSON.stringify(e).length * 3;
    if (out.length === 50 || out.length && size > 500000) break;
    out.push(e);
  }
  return out;
}

async function send(again) {
  if (!served || sending) return;
  if (ended && !again && Date.now() - tried < 60000) return tell();
  const entries = batch();
  if (!entries.length || shut) return tell();
  clearTimeout(timer);
  sending = true;
  const slow = setTimeout(() => tell(true), 500);
  let wait = 0;
  try {
    const r = await fetch("/entries", {method: "POST", headers: {"Content-Type": "application/json"}, signal: within(20000),
      body: JSON.stringify({package: packageID, now: new Date().toISOString(), entries: entries})});
    wait = await heard(r);
  } catch {
    failed = true;
    wait = pause;
    pause = Math.min(2 * pause, 15000);
  }
  clearTimeout(slow);
  sending = false;
  const left = entriesKept("queue/").length;
  if (left && !shut && !ended) timer = setTimeout(send, wait);
  tell();
}

// heard reads the server's answer and returns how long to wait before what is left is sent, ms.
async function heard(r) {
  session(r);
  if (r.status === 409) {
    for (const id of (await r.json()).kept || []) forget("queue/" + id);
    close(true);
    return 0;
  }
  if (r.status === 429 || r.status === 503) {
    failed = true;
    return 1000 * (Number(r.headers.get("Retry-After")) || 5);
  }
  if (!r.ok) {
    failed = !ended;
    pause = Math.min(2 * pause, 15000);
    return pause;
  }
  const got = await r.json();
  failed = false;
  touched++;
  for (const id of got.kept || []) forget("queue/" + id);
  for (const one of got.refused || []) {
    forget("queue/" + one.id);
    trouble("An answer was not taken: " + one.why);
  }
  close(!!got.shut);
  const none = !(got.kept || []).length && !(got.refused || []).length;
  pause = none ? Math.min(2 * pause, 15000) : 1000;
  return none ? pause : 0;
}

// session remembers whether an answer says that the session is over.
function session(r) {
  ended = r.status === 401;
  tried = Date.now();
}

// close takes no further answers, or takes them again.
function close(now) {
  if (shut === now) return;
  shut = now;
  drawAll();
  if (!shut) setTimeout(send);
}

// refresh takes over what was answered on another device, but nothing of an item that has answers waiting here.
async function refresh() {
  if (!served) return;
  const before = touched;
  try {
    const r = await fetch("/state", {signal: within(20000)});
    session(r);
    if (r.ok) {
      const got = await r.json();
      close(!!got.shut);
      const waiting = new Set(entriesKept("queue/").map((e) => e.item));
      for (const e of before === touched ? Object.values(got.entries || {}) : []) {
        if (answers.has(e.item) && !waiting.has(e.item) && answers.get(e.item).id !== e.id) take(e);
      }
      drawAll();
    }
  } catch {
    failed = entriesKept("queue/").length > 0;
  }
  tell();
}

// tellFile says how much is in no file yet.
function tellFile() {
  const n = entriesKept("answer/").length;
  let text = "Nothing answered yet";
  if (n) text = kept("filed") ? "Saved to a file: " + number(n, "item") + ". Send the file back." : "Kept in this browser, not in a file yet: " + number(n, "item");
  if (!keeps) text += ". This browser keeps nothing: save a file before you leave.";
  stateLine.dataset.bad = keeps ? "" : "yes";
  say(stateLine, text);
}

// answersFile is what is sent back.
function answersFile() {
  return {schema: app.dataset.schema, package: packageID, rater: JSON.parse(app.dataset.rater), saved: new Date().toISOString(), entries: entriesKept("answer/")};
}

function saveFile() {
  flush();
  const file = answersFile();
  const a = document.createElement("a");
  a.href = URL.createObjectURL(new Blob([JSON.stringify(file, null, 1) + "\n"], {type: "application/json"}));
  a.download = "answers-" + packageID + "-" + file.saved.slice(0, 16).replace(/[:T]/g, "-") + ".json";
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 60000);
  keep("filed", file.saved);
  drawCount();
  tellFile();
}

// loadFile takes over the answers of a saved file, of each item the later one, and returns what to say.
function loadFile(text) {
  let file;
  try {
    file = JSON.parse(text);
  } catch {
    file = {};
  }
  if (!file || file.schema !== app.dataset.schema || !Array.isArray(file.entries)) return "This is no file of answers that this page saved.";
  if (file.package !== packageID) return "This file is of another review.";
  if (file.rater !== JSON.parse(app.dataset.rater)) return "This file is of " + file.rater + ". Load it in the page that was made for that name.";
  let n = 0;
  for (const e of file.entries) {
    if (!e || !answers.has(e.item) || typeof e.labels !== "object" || Date.parse(answers.get(e.item).at) >= Date.parse(e.at)) continue;
    take(e);
    keep("answer/" + e.item, JSON.stringify(e));
    n++;
  }
  drawAll();
  tellFile();
  return n ? "Taken over: " + number(n, "item") + "." : "Everything in this file is here already.";
}
