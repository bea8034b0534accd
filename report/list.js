"use strict";
// Sorting and filtering for the list of items. The page is complete without it.
(function () {
  var table = document.getElementById("list");
  if (!table) return;
  var body = table.tBodies[0], rows = Array.from(body.rows);
  var heads = Array.from(table.tHead.rows[0].cells);

  function value(row, i) {
    var s = row.cells[i].textContent.trim(), n = parseFloat(s);
    return s === "–" ? null : isNaN(n) || !/^[\d.\/]+$/.test(s) ? s : n;
  }

  function compare(a, b) {
    if (a === b) return 0;
    if (a === null) return 1;
    if (b === null) return -1;
    return a < b ? -1 : 1;
  }

  heads.forEach(function (head, i) {
    var button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.textContent = "";
    head.appendChild(button);
    button.addEventListener("click", function () {
      var down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach(function (h) { h.removeAttribute("aria-sort"); });
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      rows.slice().sort(function (a, b) {
        var x = value(a, i), y = value(b, i);
        if (x === null || y === null) return compare(x, y);
        return down ? compare(y, x) : compare(x, y);
      }).forEach(function (row) { body.appendChild(row); });
    });
  });

  var bar = document.createElement("div");
  bar.className = "filter";
  var find = document.createElement("input"), kind = document.createElement("select"), said = document.createElement("span");
  find.type = "search";
  find.setAttribute("aria-label", "Show items whose row holds this text");
  find.placeholder = "Find in the list";
  kind.setAttribute("aria-label", "Show only");
  [["", "all items"], ["right", "baseline right"], ["wrong", "baseline wrong"], ["flips", "an edit moved the answer"],
    ["lost", "an edited trial without an answer"]].forEach(function (o) {
    var option = document.createElement("option");
    option.value = o[0];
    option.textContent = o[1];
    kind.appendChild(option);
  });
  said.setAttribute("role", "status");
  [find, kind, said].forEach(function (e) { bar.appendChild(e); });
  table.parentNode.insertBefore(bar, table);

  function filter() {
    var text = find.value.toLowerCase(), n = 0;
    rows.forEach(function (row) {
      var show = row.textContent.toLowerCase().indexOf(text) >= 0 &&
        (!kind.value || (" " + row.dataset.is + " ").indexOf(" " + kind.value + " ") >= 0);
      row.hidden = !show;
      if (show) n++;
    });
    said.textContent = n + " of " + rows.length + " items";
  }
  find.addEventListener("input", filter);
  kind.addEventListener("change", filter);
  filter();
})();
