"use strict";
// The pages are complete without this. A choice is shown at once; runs that go on are asked again every two seconds; keys
// n, p and u lead to the next page or item, the one before, and up.
(function () {
  document.querySelectorAll("form.filters").forEach(function (form) {
    form.addEventListener("change", function (e) {
      if (e.target.type === "checkbox" || e.target.type === "radio") submit(form);
    });
    form.addEventListener("submit", function (e) { e.preventDefault(); submit(form); });
  });

  // Fields that say nothing stay out of the address.
  function submit(form) {
    var query = new URLSearchParams();
    new FormData(form).forEach(function (value, name) { if (value) query.append(name, value); });
    location.assign(form.getAttribute("action") + "?" + query);
  }

  document.querySelectorAll("[data-poll]").forEach(function (at) {
    function again() {
      if (document.hidden) return setTimeout(again, 2000);
      fetch(at.dataset.poll, {credentials: "same-origin"}).then(function (answer) {
        if (!answer.ok) throw new Error(answer.status);
        return answer.text();
      }).then(function (text) {
        var piece = new DOMParser().parseFromString(text, "text/html").body;
        at.replaceChildren.apply(at, Array.from(piece.childNodes));
        if (at.querySelector("progress")) setTimeout(again, 2000);
      }).catch(function () { setTimeout(again, 10000); });
    }
    setTimeout(again, 2000);
  });

  document.addEventListener("keydown", function (e) {
    if (e.ctrlKey || e.altKey || e.metaKey || /^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName)) return;
    var link = document.querySelector({n: "a[rel=next]", p: "a[rel=prev]", u: "a[rel=up]"}[e.key] || "none");
    if (link) link.click();
  });
})();
