# SPDX-License-Identifier: Apache-2.0
# Pictures of the page's screens, compared with those in Screens, and what must be true of each screen.
#
# A sheet has all states of one language and colour scheme side by side. They are drawn such that another
# version of Chromium draws the same: one font from Debian, without hinting and sub-pixels, no setting of the
# machine's screen, and at half the size, which evens out how the edge of a letter is drawn. A picture differs
# if more than 0.5 % of its pixels differ by more than 16 of 255 in one colour.
import base64
import glob
import io
import os

from PIL import Image, ImageChops

from support import CHECKOUT, equal

LANGUAGES = "en", "de", "es", "fr", "ar"
SCHEMES = "light", "dark"
# Width, height and whether it is a phone.
SIZES = {"phone": (390, 844, True), "desktop": (1280, 800, False)}
NARROW = 320
SCALE = 0.5
# The width of a sheet.
COLUMNS = {"phone": 8, "desktop": 4}
FOLDER = f"{CHECKOUT}/Tests/System/Page/Screens"
IS_UPDATE = os.environ.get("MPIN_GOLDEN") == "update"
ARGUMENTS = ("--font-render-hinting=none", "--force-device-scale-factor=1", "--disable-lcd-text",
             "--hide-scrollbars")

# Makes a screen the same each time: font, identities, times, codes; nothing moves from now on.
FIX = r"""
const fixed = 1_800_000_000, now = Date.now();
Date.now = () => now;
const sheet = new CSSStyleSheet();
sheet.replaceSync(`* { font-family: "DejaVu Sans" !important; animation: none !important;
  transition: none !important; caret-color: transparent !important; }`);
document.adoptedStyleSheets = [sheet];
const main = document.getElementById('main');
// Nothing more is asked about what waits.
Object.defineProperty(document, 'hidden', {value: true, configurable: true});
document.dispatchEvent(new Event('visibilitychange'));
// A clock of the screen may tick once more.
const rest = ['asked', 'approval-code'].includes(main.dataset.screen) ? 250 : 0;
new Promise((rested) => setTimeout(rested, rest)).then(() => import('/texts.js'))
  .then(({t, ago, lasting, moment, spelled}) => {
  const replace = (root, count, text, after) => {
    // The longest first, which may contain the others.
    const befores = Array.from({length: count}, (_, at) => text(count - at));
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode;
      const before = befores.find((one) => node.data.includes(one));
      if (before) node.data = node.data.replace(before, after);
      // Identities, attempts and users.
      node.data = node.data.replace(/\b[0-9a-f]{8,16}\b/g, '0123abcd').replace(/\b9\d{3}\b/, '1000');
    }
  };
  replace(main, 300, (n) => moment(Math.floor(now / 1000) - n + 5), moment(fixed));
  if (['asked', 'home'].includes(main.dataset.screen)) replace(main, 121, (n) => ago(n - 1), ago(5));
  for (const one of main.querySelectorAll('.waiting b')) one.textContent = '265 4318';
  for (const one of main.querySelectorAll('.count')) replace(one, 90, lasting, lasting(45));
  for (const one of main.querySelectorAll('.left')) one.textContent = t('codeLeft', {seconds: 80});
  for (const one of main.querySelectorAll('progress[aria-hidden]')) one.value = 80;
  // Identities are in the order of their ids.
  const rows = [...main.querySelectorAll('button.row')];
  rows.sort((a, b) => (a.textContent < b.textContent ? -1 : 1))
    .reduce((before, one) => (before?.after(one), one), null);
  // The letters with the longest words.
  const letters = [...'BCDFGHJKLMNPQRSTVWXZ'].sort((a, b) => spelled(b).length - spelled(a).length);
  [...document.querySelectorAll('.code p')].forEach((tile, at) => {
    const letter = letters[at];
    tile.querySelector('b').textContent = letter;
    tile.querySelector('small').textContent = spelled(letter);
  });
  return document.fonts.ready;
}).then(() => done(null), (error) => done(String(error)));"""

# Elements that are wider than the page, or whose text is wider than themselves.
WIDE = r"""
const room = document.documentElement.clientWidth;
return [...document.querySelectorAll('body *')].filter((one) => {
  if (one.closest('.spoken, svg, progress') || !one.checkVisibility()) return false;
  const { left, right } = one.getBoundingClientRect();
  const isTooLong = one.clientWidth && one.scrollWidth > one.clientWidth + 1;
  return left < -0.5 || right > room + 0.5 || isTooLong;
}).map((one) => `${one.tagName} ${one.className} ${one.textContent.slice(0, 40)}`);"""

AXE_FILE = f"{CHECKOUT}/build/axe/lib/python3*/site-packages/axe_playwright_python/axe.min.js"
AXE = """
axe.run(document, {resultTypes: ['violations']}).then(({violations}) => done(violations.map(
  ({id, nodes}) => `${id}: ${nodes.map(({html}) => html.slice(0, 120)).join(' | ')}`)));"""


def sized(browser, size):
    width, height, touch = SIZES[size]
    browser.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                     mobile=touch)


def too_wide(browser):
    """What does not fit a phone of 320 pixels."""
    browser.devtools("Emulation.setDeviceMetricsOverride", width=NARROW, height=700, deviceScaleFactor=1,
                     mobile=True)
    found = browser.value(WIDE)
    sized(browser, "phone")
    return found


def violations(browser):
    """What axe finds."""
    if not browser.value("return 'axe' in window"):
        with open(glob.glob(AXE_FILE)[0]) as file:
            browser.devtools("Runtime.evaluate", expression=file.read())
    return browser.result(AXE)


def picture(browser, size):
    width, height, _ = SIZES[size]
    clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": SCALE}
    data = browser.devtools("Page.captureScreenshot", format="png", clip=clip)["data"]
    return Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")


class Sheet:
    """The states of one language and scheme, and the file of their pictures."""

    def __init__(self, name, size):
        self.file, self.size = f"{name}.png", tuple(int(one * SCALE) for one in SIZES[size][:2])
        self.columns, self.states = COLUMNS[size], []

    def add(self, state, image):
        self.states.append((state, image))

    def corner(self, number):
        """Where the state of this number is."""
        (width, height), (row, column) = self.size, divmod(number, self.columns)
        return column * (width + 4), row * (height + 4)

    def drawn(self):
        width, height = self.size
        rows = -(-len(self.states) // self.columns)
        whole = Image.new("RGB", (self.columns * (width + 4), rows * (height + 4)), (128, 128, 128))
        for number, (_, image) in enumerate(self.states):
            whole.paste(image, self.corner(number))
        return whole

    def differences(self, save):
        """The states that differ from their pictures, each with a part of its pixels in percent. `save` gets
        the sheet if there is any."""
        path = f"{FOLDER}/{self.file}"
        if IS_UPDATE:
            # With the colours that cover all best: none differs by more than 6.
            few = self.drawn().quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
            few.save(path, optimize=True)
        if not os.path.exists(path):
            return [f"{self.file} is missing; MPIN_GOLDEN=update writes it"]
        golden = Image.open(path).convert("RGB")
        found = []
        for number, (state, image) in enumerate(self.states):
            left, top = self.corner(number)
            part = different(image, golden.crop((left, top, left + self.size[0], top + self.size[1])))
            if part > 0.5:
                found.append(f"{self.file} {state}: {part:.2f} %")
        if golden.size != self.drawn().size:
            found.append(f"{self.file} has another number of states")
        if found:
            save(self.file, self.drawn())
        return found


def different(one, other):
    """The percentage of pixels that differ by more than 16 in one colour."""
    red, green, blue = ImageChops.difference(one, other).split()
    most = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    return 100 * sum(most.histogram()[17:]) / (one.width * one.height)


class Album:
    """All sheets, and what was found wrong on the way."""

    def __init__(self):
        self.sheets, self.wrong = {}, []

    def sheet(self, name, size="phone"):
        return self.sheets.setdefault(name, Sheet(name, size))

    def take(self, phone, language, state, desktop=False):
        """Takes the pictures of this state, and examines it."""
        browser = phone.browser
        sized(browser, "phone")
        equal(browser.result(FIX), None)
        self.examine(phone, language, state, SCHEMES if language == "en" else SCHEMES[:1])
        for scheme in SCHEMES:
            browser.scheme(scheme)
            self.sheet(f"{language}-{scheme}").add(state, picture(browser, "phone"))
            if desktop:
                sized(browser, "desktop")
                what = f"{state} {language} {scheme}"
                self.sheet("desktop", "desktop").add(what, picture(browser, "desktop"))
                sized(browser, "phone")
        browser.scheme("light")

    def examine(self, phone, language, state, schemes):
        """The width of this screen, and what axe finds in these schemes."""
        self.wrong += [f"{language} {state} at {NARROW} pixels: {one}" for one in too_wide(phone.browser)]
        for scheme in schemes:
            phone.browser.scheme(scheme)
            self.wrong += [f"{language} {state} {scheme}: {one}" for one in violations(phone.browser)]

    def compared(self, save):
        return [one for sheet in self.sheets.values() for one in sheet.differences(save)]
