# SPDX-License-Identifier: Apache-2.0
# How long a user waits: prints target values, checks nothing. `make bench` runs it by
# `Tests/System/Page/run --bench`.
import statistics

from consoles import sudo
from house import site
from phone import ORIGIN, PIN, Phone, end, world
from support import LOG
from test_page_approval import profile

ROUNDS = 5
CODE_SHOWN = """
const confirm = [...document.querySelectorAll('.key')].at(-1), main = document.getElementById('main');
const start = performance.now();
new MutationObserver(() => main.dataset.screen === 'approval-code' && requestAnimationFrame(() =>
  done(performance.now() - start))).observe(main, {attributes: true});
confirm.click();"""
PAINT = """
const first = performance.getEntriesByName('first-contentful-paint')[0];
const resources = performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'));
done(first ? [first.startTime, resources.reduce((sum, one) => sum + one.encodedBodySize, 0)] : null);"""


def pin_to_code():
    """Milliseconds from the key that confirms the PIN to the code, on a processor slowed down four times."""
    with Phone(profile(), "") as phone:
        def one():
            console = sudo("holly")
            phone.open(console.scanned, "asked").press(*PIN)
            phone.browser.devtools("Emulation.setCPUThrottlingRate", rate=4)
            took = phone.browser.result(CODE_SHOWN)
            phone.browser.devtools("Emulation.setCPUThrottlingRate", rate=1)
            console.closes()
            return took
        return statistics.median(one() for _ in range(ROUNDS))


def paint(number):
    """Milliseconds to the first paint on a new phone, at 1.6 Mbit/s and with a latency of 150 ms, and the
    octets transferred."""
    with Phone(f"bench-{number}", "") as phone:
        phone.browser.command("POST", "/chromium/network_conditions", {"network_conditions": {
            "offline": False, "latency": 150, "download_throughput": 200_000, "upload_throughput": 94_000}})
        phone.open(ORIGIN + "/", "stranger")
        return phone.browser.result(PAINT)


def main():
    site().ready("bench")
    world().ready()
    print(f"PIN to code, processor throttled four times: {pin_to_code():.0f} ms (aim: 300)", flush=True)
    rounds = [paint(number) for number in range(ROUNDS)]
    middle = statistics.median(one for one, _ in rounds)
    print(f"first paint at 1.6 Mbit/s, 150 ms a request: {middle:.0f} ms (aim: 1000); "
          f"{rounds[0][1]} octets in all", flush=True)


if __name__ == "__main__":
    # Receives what logins send to syslog.
    LOG.open()
    main()
    end()
