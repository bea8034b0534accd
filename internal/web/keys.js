"use strict";
// Keys n, p and u follow the links to the next item, the one before and the report.
document.addEventListener("keydown", function (e) {
  if (e.ctrlKey || e.altKey || e.metaKey) return;
  var link = document.querySelector({n: "a[rel=next]", p: "a[rel=prev]", u: "a[rel=up]"}[e.key] || "none");
  if (link) link.click();
});
