// SPDX-License-Identifier: Apache-2.0
// Runs before anything is drawn or requested: removes session or code from the address and from what "back"
// leads to (the browser's list of visits may keep it), notes whether the page is inside another one, and
// chooses the language. The syntax is old, so that old browsers run it, too.
(function () {
  "use strict";
  window.isFramed = window.top !== window.self;
  var fragment = location.hash.slice(1);
  if (location.hash || location.search) history.replaceState(null, "", location.pathname);
  // Not set if the line above threw: then the page refuses to run.
  window.fragment = fragment;

  // The first of the browser's languages that there are texts in.
  var there = ["en", "de", "es", "fr", "ar"], root = document.documentElement;
  root.lang = (navigator.languages || [navigator.language])
    .map(function (one) { return one.split("-")[0]; })
    .filter(function (one) { return there.indexOf(one) >= 0; })[0] || "en";
  root.dir = root.lang === "ar" ? "rtl" : "ltr";
  // Begins to load the texts, which page.js imports.
  [root.lang, root.lang + "-endings"].forEach(function (name) {
    var link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = "/" + name + ".js";
    document.head.appendChild(link);
  });
})();
