"use strict";
// Sorting of tables, and filters of the list of items or cases, which stand in the address so that a link shows the same
// rows. The page is complete without it.
(function () {
  // What a cell says first: its number, or its words; what stands below (interval, sample) does not count. null: missing.
  function value(row, i) {
    var s = "", node = row.cells[i] && row.cells[i].firstChild;
    for (; node && node.nodeName !== "BR" && node.nodeName !== "SMALL"; node = node.nextSibling) if (node.nodeName !== "SUP") s += node.textContent;
    s = s.trim().replace("−", "-").replace(/^<(?=\d)/, "");
    if (s === "–" || s === "") return null;
    return /^[+-]?[\d.\/]+( %| \/ .*| to .*| \(.*)?$/.test(s) ? parseFloat(s) : s;
  }

  function compare(a, b) {
    if (a === b) return 0;
    if (a === null) return 1;
    if (b === null) return -1;
    if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
    return a < b ? -1 : 1;
  }

  // sortable puts a button into each head of a table and returns what sorts it by a column: 1 upwards, -1 downwards, 0 as it
  // was. Rows that stand apart (means, fixed policies) stay on top.
  function sortable(table, told) {
    var body = table.tBodies[0], rows = Array.from(body.rows), heads = Array.from(table.tHead.rows[0].cells);
    var apart = rows.filter(function (r) { return r.classList.contains("head"); });
    var own = rows.filter(function (r) { return !r.classList.contains("head") && !r.classList.contains("why"); });
    var remarks = new Map(); // each stands below its row, and goes with it
    rows.forEach(function (r, i) { if (r.classList.contains("why")) remarks.set(rows[i - 1], r); });
    rows = rows.filter(function (r) { return !r.classList.contains("why"); });
    if (own.length < 2) return null;
    function sort(i, way) {
      heads.forEach(function (h) { h.removeAttribute("aria-sort"); });
      if (heads[i] && way) heads[i].setAttribute("aria-sort", way > 0 ? "ascending" : "descending");
      var order = !heads[i] || !way ? rows : apart.concat(own.slice().sort(function (a, b) {
        var x = value(a, i), y = value(b, i);
        return x === null || y === null ? compare(x, y) : way * compare(x, y);
      }));
      order.forEach(function (row) {
        body.appendChild(row);
        if (remarks.has(row)) body.appendChild(remarks.get(row));
      });
    }
    heads.forEach(function (head, i) {
      var button = document.createElement("button"), name = head.textContent;
      button.type = "button";
      if (head.querySelector("button")) {
        button.className = "sort";
        button.setAttribute("aria-label", "Sort by " + name);
        head.append(" ", button);
      } else {
        button.textContent = name;
        head.textContent = "";
        head.appendChild(button);
      }
      button.addEventListener("click", function () {
        var at = head.getAttribute("aria-sort"), way = !at ? 1 : at === "ascending" ? -1 : 0;
        sort(i, way);
        if (told) told(i, way);
      });
    });
    return sort;
  }

  document.querySelectorAll("table.analysis, table.claims, table.overview, table.sorts").forEach(function (t) { sortable(t); });

  var table = document.getElementById("list");
  if (!table) return;
  var rows = Array.from(table.tBodies[0].rows), sorted = "";
  var sort = sortable(table, function (i, way) {
    sorted = way ? (way < 0 ? "-" : "") + i : "";
    address();
  });

  var bar = document.createElement("div"), noun = table.dataset.noun;
  bar.className = "filter";
  var find = document.createElement("input"), said = document.createElement("span");
  find.type = "search";
  find.setAttribute("aria-label", "Show " + noun + " whose row holds this text");
  find.placeholder = "Find in the list";
  bar.appendChild(find);
  // data-kinds: selections parted by ";", in each "word:what it says" parted by "|", the first without a word.
  var kinds = table.dataset.kinds.split(";").map(function (kinds, i) {
    var select = document.createElement("select");
    select.setAttribute("aria-label", "Show only" + (i ? ", and" : ""));
    kinds.split("|").forEach(function (kind) {
      var at = kind.indexOf(":"), option = document.createElement("option");
      option.value = kind.slice(0, Math.max(at, 0));
      option.textContent = kind.slice(at + 1);
      select.appendChild(option);
    });
    select.addEventListener("change", changed);
    bar.appendChild(select);
    return select;
  });
  said.setAttribute("role", "status");
  bar.appendChild(said);
  var place = table.closest(".wide") || table;
  place.parentNode.insertBefore(bar, place);

  function filter() {
    var text = find.value.toLowerCase(), n = 0;
    rows.forEach(function (row) {
      var is = " " + row.dataset.is + " ";
      var show = row.textContent.toLowerCase().indexOf(text) >= 0 && kinds.every(function (k) {
        return !k.value || is.indexOf(" " + k.value + " ") >= 0;
      });
      row.hidden = !show;
      if (show) n++;
    });
    said.textContent = n + " of " + rows.length + " " + noun;
  }

  // The address holds the filters behind "#list?"; every other fragment is a place in the page.
  var mark = "#list?";

  function address() {
    var q = new URLSearchParams();
    if (find.value) q.set("find", find.value);
    kinds.forEach(function (k) { if (k.value) q.append("only", k.value); });
    if (sorted) q.set("sort", sorted);
    var s = q.toString();
    if (s || location.hash.startsWith(mark)) history.replaceState(null, "", s ? mark + s : "#list");
  }

  function changed() {
    filter();
    address();
  }

  function restore() {
    if (location.hash.startsWith(mark)) {
      var q = new URLSearchParams(location.hash.slice(mark.length)), only = q.getAll("only");
      find.value = q.get("find") || "";
      kinds.forEach(function (k) {
        var at = Array.from(k.options).findIndex(function (o) { return o.value && only.indexOf(o.value) >= 0; });
        k.selectedIndex = Math.max(at, 0);
      });
      sorted = /^-?\d+$/.test(q.get("sort") || "") ? q.get("sort") : "";
      if (sort) sort(Math.abs(parseInt(sorted, 10)), sorted === "" ? 0 : sorted[0] === "-" ? -1 : 1);
      bar.scrollIntoView();
    }
    filter();
  }
  find.addEventListener("input", changed);
  addEventListener("hashchange", restore);
  restore();
})();
