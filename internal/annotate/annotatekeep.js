"use strict";
// What the browser keeps: what was answered and not sent yet (each entry under a key of its own, so that two tabs never
// write over each other), or, of a page without a server, the latest answers; and where the rater was.
const app = document.getElementById("app");
const served = app.dataset.mode === "served";
const packageID = app.dataset.package;
const memory = new Map(); // where the browser keeps nothing
let keeps = true;

function keep(name, value) {
  name = app.dataset.key + "/" + name;
  try {
    localStorage.setItem(name, value);
    memory.delete(name);
  } catch {
    keeps = false;
    memory.set(name, value);
  }
}

function kept(name) {
  name = app.dataset.key + "/" + name;
  if (memory.has(name)) return memory.get(name);
  try {
    return localStorage.getItem(name);
  } catch {
    keeps = false;
    return null;
  }
}

function forget(name) {
  name = app.dataset.key + "/" + name;
  memory.delete(name);
  try {
    localStorage.removeItem(name);
  } catch {
    keeps = false;
  }
}

// entriesKept are the entries kept below a prefix, the earliest first.
function entriesKept(prefix) {
  prefix = app.dataset.key + "/" + prefix;
  const raw = [...memory].filter(([name]) => name.startsWith(prefix)).map(([, value]) => value);
  try {
    for (let i = 0; i < localStorage.length; i++) {
      const name = localStorage.key(i);
      if (name.startsWith(prefix) && !memory.has(name)) raw.push(localStorage.getItem(name));
    }
  } catch {
    keeps = false;
  }
  const out = [];
  for (const one of raw) {
    try {
      const e = JSON.parse(one);
      if (e && e.id && answers.has(e.item)) out.push(e);
    } catch {
      // another program's
    }
  }
  return out.sort((a, b) => a.at < b.at ? -1 : a.at > b.at ? 1 : 0);
}

// newID is a random UUID. crypto.randomUUID is missing where the address is neither https nor of this machine.
function newID() {
  const b = crypto.getRandomValues(new Uint8Array(16));
  b[6] = b[6] & 15 | 64;
  b[8] = b[8] & 63 | 128;
  const hex = [...b].map((x) => x.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

// answers hold what is answered now, by item.
const answers = new Map();

function blank() {
  return {labels: {}, comment: "", flag: "", flagged: false, seconds: 0, at: "", id: ""};
}

// take makes an entry what is answered now.
function take(e) {
  const a = answers.get(e.item);
  Object.assign(a, {labels: {...e.labels}, comment: e.comment || "", flag: e.flag || "", flagged: !!e.flagged,
    seconds: Math.max(a.seconds, e.seconds || 0), at: e.at, id: e.id});
}

let last = 0; // time of the latest entry: two in one millisecond keep their order

// save makes an entry of what is answered now of an item, and keeps it.
function save(item) {
  const a = answers.get(item);
  last = Math.max(Date.now(), last + 1);
  a.at = new Date(last).toISOString();
  a.id = newID();
  const e = {id: a.id, item: item, labels: a.labels, comment: a.comment, flag: a.flagged ? a.flag : "", flagged: a.flagged,
    seconds: Math.round(a.seconds * 10) / 10, at: a.at};
  if (served) {
    keep("queue/" + e.id, JSON.stringify(e));
    touched++;
    send();
  } else {
    keep("answer/" + item, JSON.stringify(e));
    forget("filed");
    tellFile();
  }
}
