# SPDX-License-Identifier: Apache-2.0
# Users and browsers that differ: large text, keyboard only, an iPhone, browsers that lack a feature.
from consoles import sudo
from phone import ORIGIN, PIN, Phone, invitation, world
from support import equal, within
from test_page_approval import holly

IPHONE = ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
          "Version/17.0 Mobile/15E148 Safari/604.1")
WIDER = """
document.documentElement.style.fontSize = '200%';
const page = document.scrollingElement;
return page.scrollWidth > page.clientWidth;"""
TAB = "\ue004"
# Finds texts with less contrast than WCAG 2.2 AA requires (1.4.3: 4.5, and 3 for large text).
FAINT = """
const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
const octets = (colour) => {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data];
};
const over = ([r, g, b, a], below) => [r, g, b].map((one, at) => (one * a + below[at] * (255 - a)) / 255);
const behind = (one) => one
  ? over(octets(getComputedStyle(one).backgroundColor), behind(one.parentElement))
  : matchMedia('(prefers-color-scheme: dark)').matches ? [0, 0, 0] : [255, 255, 255];
const light = (colour) => colour.map((one) => one / 255)
  .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
  .reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0);
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const faint = [];
for (let count = 0; texts.nextNode(); count++) {
  const { parentElement: one, textContent } = texts.currentNode;
  const style = getComputedStyle(one);
  if (!textContent.trim() || !one.checkVisibility({visibilityProperty: true}) || one.disabled) continue;
  const below = behind(one);
  const [high, low] = [light(over(octets(style.color), below)), light(below)].sort((a, b) => b - a);
  const size = parseFloat(style.fontSize);
  const isLarge = size >= 24 || size >= 18.66 && style.fontWeight >= 700;
  const ratio = (high + 0.05) / (low + 0.05);
  if (ratio < (isLarge ? 3 : 4.5)) faint.push(`${textContent.trim()}: ${ratio.toFixed(2)}`);
}
return faint;"""


def nameless(phone):
    """Elements that can be pressed or typed into and have no name for a screen reader."""
    nodes = phone.browser.devtools("Accessibility.getFullAXTree")["nodes"]
    roles = "button", "textbox", "link", "DisclosureTriangle"
    return [node for node in nodes if node.get("role", {}).get("value") in roles and not node.get("ignored")
            and not node.get("name", {}).get("value")]


def faint(phone):
    """Texts that are hard to read, in the light and in the dark scheme."""
    found = []
    for scheme in "dark", "light":
        phone.browser.scheme(scheme)
        found += [f"{scheme} {phone.screen}: {text}" for text in phone.browser.value(FAINT)]
    return found


def test_large_text():
    """with text of twice the size every screen of an approval fits the width of a phone, and everything that
    can be pressed has a name; a new screen has the focus on its title, and every text has enough contrast"""
    with holly() as phone:
        console = sudo("holly")
        for act in (lambda: phone.open(screen="home"), lambda: phone.open(console.scanned, "asked"),
                    lambda: phone.types().on("approval-code"),
                    lambda: phone.open(f"{ORIGIN}/#what?is=this").on("end notUnderstood")):
            act()
            equal(phone.browser.value("return document.activeElement.tagName"), "H1")
            equal(nameless(phone), [])
            equal(faint(phone), [])
            equal(phone.browser.value(WIDER), False, f"{phone.screen} is wider than the phone")
            phone.screenshot(f"large-{phone.screen}")
        console.closes()


def test_keyboard():
    """an enrolment works with the keyboard only"""
    with Phone("keys") as phone:
        phone.open(world().invited("keys@example.org"), "invited")
        equal(faint(phone), [])
        phone.browser.keys(TAB, TAB, "\n")
        equal(faint(phone.on("pin")), [])
        phone.browser.keys(PIN, "\n")
        phone.on("repeat").browser.keys(PIN, "\n")
        phone.on("end enrolled").browser.keys(TAB, TAB, TAB, "\n")
        phone.on("home")


def test_iphone():
    """an iPhone is offered the home screen before it enrols, with the reason, and may stay in the browser"""
    with Phone("iphone") as phone:
        phone.browser.devtools("Emulation.setUserAgentOverride", userAgent=IPHONE)
        phone.open(invitation("pia@example.org", "BCDFGHJK"), "home-screen")
        within(phone.text, "seven days", "Add to Home Screen", "seven digits")
        phone.screenshot("iphone")
        phone.press("Stay in the browser").on("invited")


def test_browsers_that_cannot():
    """a browser without storage, and one that is too old, are told so, and get no field for a PIN"""
    with Phone("unable") as phone:
        for gone, screen in ("indexedDB", "noStorage"), ("WebAssembly", "tooOld"):
            source = f"Object.defineProperty(window, '{gone}', {{value: undefined}})"
            script = phone.browser.devtools("Page.addScriptToEvaluateOnNewDocument", source=source)
            phone.open(invitation("pia@example.org", "BCDFGHJK")).on(f"end {screen}")
            phone.screenshot(screen)
            equal(phone.browser.value("return document.querySelectorAll('.pad, input').length"), 0)
            phone.browser.devtools("Page.removeScriptToEvaluateOnNewDocument", **script)
