// Walking through the subsets of a case's findings without loading the page anew. Every step is a link, so that the page
// is complete without this.
(function () {
  var walk = document.getElementById("walk");
  if (!walk) return;
  var said = document.createElement("p"), busy = false;
  said.setAttribute("role", "status");
  said.className = "says dim";
  walk.after(said);
  ready(null);

  // What the page says of a box is said where it is pointed at or reached by key.
  document.addEventListener("focusin", tell);
  document.addEventListener("mouseover", tell);
  function tell(e) {
    var box = boxOf(e.target);
    if (box) said.textContent = box.dataset.says;
  }

  document.addEventListener("click", function (e) {
    var link = e.target.closest && e.target.closest("#walk a");
    if (!link || e.button || e.ctrlKey || e.metaKey || e.shiftKey || link.hash !== "#walk") return;
    e.preventDefault();
    go(link.href, boxOf(link) ? "box" : link.dataset.finding || "place");
  });

  document.addEventListener("keydown", function (e) {
    if (e.ctrlKey || e.altKey || e.metaKey || e.target.closest && e.target.closest("input,textarea,select")) return;
    if (/^[1-9]$/.test(e.key)) {
      var step = walk.querySelector("a[data-finding='" + e.key + "']");
      if (step) go(step.href, boxOf(e.target) ? "box" : e.key);
      return;
    }
    var box = boxOf(e.target), by = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]}[e.key];
    if (!box || !by) return;
    e.preventDefault();
    var next = by[0] ? joined(box, by[0]) : box.parentNode.querySelectorAll("a[data-row='" + box.dataset.row + "']");
    if (!by[0]) next = next[Array.prototype.indexOf.call(next, box) + by[1]];
    if (next) focus(next);
    else if (by[0] && !box.hasAttribute("aria-current")) go(box.href, "box"); // its neighbours are drawn there
  });

  function boxOf(at) { return at.closest && at.closest("#walk svg.lattice a"); }

  // joined is the nearest box in the next row that differs in one finding.
  function joined(box, by) {
    var best = null, away = Infinity, x = left(box);
    box.parentNode.querySelectorAll("a[data-row='" + (Number(box.dataset.row) + by) + "']").forEach(function (other) {
      var differ = box.dataset.set ^ other.dataset.set;
      if (differ & (differ - 1) || Math.abs(left(other) - x) >= away) return;
      best = other;
      away = Math.abs(left(other) - x);
    });
    return best;
  }

  function left(box) { return box.getBoundingClientRect().left; }

  function focus(box) {
    boxes().forEach(function (b) { b.setAttribute("tabindex", b === box ? "0" : "-1"); });
    box.focus({preventScroll: false});
  }

  function boxes() { return walk.querySelectorAll("svg.lattice a"); }

  // go shows another place. Where that fails the browser goes there itself.
  function go(address, from) {
    if (busy) return;
    busy = true;
    fetch(address, {credentials: "same-origin"}).then(function (answer) {
      if (!answer.ok) throw new Error(answer.status);
      return answer.text();
    }).then(function (text) {
      var other = new DOMParser().parseFromString(text, "text/html").getElementById("walk");
      if (!other) throw new Error("no walk");
      var across = Array.from(walk.querySelectorAll(".wide,figure.matrix")).map(function (r) { return r.scrollLeft; });
      walk.replaceWith(other);
      walk = other;
      walk.querySelectorAll(".wide,figure.matrix").forEach(function (r, i) { r.scrollLeft = across[i] || 0; });
      history.replaceState(null, "", address);
      ready(from);
      said.textContent = walk.querySelector(".says").textContent;
      busy = false;
    }).catch(function () { location.assign(address); });
  }

  // One box of the chart is reached by Tab, the others from it by arrows. from is what was followed to get here.
  function ready(from) {
    var here = walk.querySelector("svg.lattice a[aria-current]");
    boxes().forEach(function (b) { if (b !== here) b.setAttribute("tabindex", "-1"); });
    walk.querySelectorAll(".keys").forEach(function (p) { p.hidden = false; });
    var figure = here && here.closest("figure");
    if (figure) figure.scrollLeft += left(here) - left(figure) - figure.clientWidth / 2 + here.getBoundingClientRect().width / 2;
    var to = from === "box" ? here : from === "place" ? walk.querySelector("p a") : from && walk.querySelector("a[data-finding='" + from + "']");
    if (to) to.focus({preventScroll: true});
  }
})();
