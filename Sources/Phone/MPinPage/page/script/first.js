// SPDX-License-Identifier: Apache-2.0
// Runs before anything is drawn or requested: removes session or code from the address and from what "back"
// leads to (the browser's list of visits may keep it), and notes whether the page is inside another one. The
// syntax is old, so that old browsers run it, too.
(function () {
  "use strict";
  window.isFramed = window.top !== window.self;
  var fragment = location.hash.slice(1);
  if (location.hash || location.search) history.replaceState(null, "", location.pathname);
  // Not set if the line above threw: then the page refuses to run.
  window.fragment = fragment;
})();
