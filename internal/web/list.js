"use strict";
// Sorting and filtering for the list of items or cases. The page is complete without it.
(function () {
  var table = document.getElementById("list");
  if (!table) return;
  var body = table.tBodies[0], rows = Array.from(body.rows);
  var heads = Array.from(table.tHead.rows[0].cells);

  function value(row, i) {
    var s = row.cells[i].textContent.trim(), n = parseFloat(s);
    return s === "–" ? null : isNaN(n) || !/^[+-]?[\d.\/]+( %)?$/.test(s) ? s : n;
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
    select.addEventListener("change", filter);
    bar.appendChild(select);
    return select;
  });
  said.setAttribute("role", "status");
  bar.appendChild(said);
  table.parentNode.insertBefore(bar, table);

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
  find.addEventListener("input", filter);
  filter();
})();
