"use strict";
// Keys n, p and u follow the links to the next item, the one before and the page above, but not while something is written.
document.addEventListener("keydown", function (e) {
  if (e.ctrlKey || e.altKey || e.metaKey || e.target.closest && e.target.closest("input,textarea,select")) return;
  var link = document.querySelector({n: "a[rel=next]", p: "a[rel=prev]", u: "a[rel=up]"}[e.key] || "none");
  if (link) link.click();
});
