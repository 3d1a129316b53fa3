// SPDX-License-Identifier: Apache-2.0
// Runs before anything else is drawn or asked: takes session or code out of the address and the history, and
// refuses to run inside another page. Old syntax, so that an old browser gets here too.
(function () {
  "use strict";
  window.isFramed = window.top !== window.self;
  var fragment = location.hash.slice(1);
  if (location.hash || location.search) history.replaceState(null, "", location.pathname);
  // Not set where the line before threw: then the page refuses to run.
  window.fragment = fragment;
})();
