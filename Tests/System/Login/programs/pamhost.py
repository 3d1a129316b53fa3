# SPDX-License-Identifier: Apache-2.0
# A small PAM application: runs one login described in JSON on standard input, and reports the result as JSON.
import ctypes
import json
import os
import signal
import sys
import syslog
import time

PAM = ctypes.CDLL("libpam.so.0")
C = ctypes.CDLL(None)
C.calloc.restype = C.strdup.restype = ctypes.c_void_p
SERVICE, USER, TTY, RHOST, CONV, RUSER, FAIL_DELAY = 1, 2, 3, 4, 5, 8, 10
SILENT = 0x8000


class Message(ctypes.Structure):
    _fields_ = [("style", ctypes.c_int), ("text", ctypes.c_char_p)]


class Response(ctypes.Structure):
    _fields_ = [("text", ctypes.c_void_p), ("code", ctypes.c_int)]


Converse = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_int, ctypes.POINTER(ctypes.POINTER(Message)), ctypes.POINTER(ctypes.c_void_p),
    ctypes.c_void_p)
Delay = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_uint, ctypes.c_void_p)


class Conversation(ctypes.Structure):
    _fields_ = [("function", Converse), ("data", ctypes.c_void_p)]


def secret_pages(process):
    """The pages that are excluded from dumps and wiped on fork, and how many of them are locked."""
    pages = locked = 0
    with open(f"/proc/{process}/smaps") as areas:
        for line in areas:
            words = line.split()
            if words[0] == "Size:":
                size = int(words[1]) // 4
            elif words[0] == "VmFlags:" and {"dd", "wf"} <= set(words):
                pages += size
                locked += size if "lo" in words else 0
    return pages, locked


def main():
    task = json.load(sys.stdin)
    done = {"messages": [], "delay": 0, "children": 0}
    answers = list(task["answers"])

    def converse(count, messages, responses, _):
        array = C.calloc(count, ctypes.sizeof(Response))
        for index in range(count):
            message = messages[index].contents
            done["messages"].append([message.style, message.text.decode("latin-1"), time.monotonic()])
            if message.style in (1, 2):
                answer = answers.pop(0) if answers else {"error": 19}
                if isinstance(answer, dict):
                    return answer["error"]
                if answer is not None:
                    response = Response.from_address(array + index * ctypes.sizeof(Response))
                    response.text = C.strdup(ctypes.c_char_p(answer.encode("latin-1")))
        ctypes.cast(responses, ctypes.POINTER(ctypes.c_void_p))[0] = array
        return 0

    def delayed(_, microseconds, __):
        done["delay"] = microseconds

    def child(*_):
        done["children"] += 1

    signal.signal(signal.SIGCHLD, child)
    conversation = Conversation(Converse(converse), task.get("data", 1))
    delay = Delay(delayed)
    handle = ctypes.c_void_p()
    user = task["user"]
    assert PAM.pam_start(task["service"].encode(), user.encode("latin-1") if user is not None else None,
                         ctypes.byref(conversation), ctypes.byref(handle)) == 0
    PAM.pam_set_item(handle, FAIL_DELAY, delay)
    for name, value in task.get("items", {}).items():
        assert PAM.pam_set_item(handle, int(name), value.encode("latin-1")) == 0
    for name, value in task.get("environment", {}).items():
        PAM.pam_putenv(handle, f"{name}={value}".encode())
    syslog.syslog(syslog.LOG_DEBUG, "the one connection that libpam keeps")
    descriptors = os.listdir("/proc/self/fd")
    report = os.dup(1)
    if task.get("closed"):
        os.closerange(0, 3)
    done["started"] = time.monotonic()
    done["code"] = PAM.pam_authenticate(handle, task.get("flags", 0))
    done["ended"] = time.monotonic()
    done["left-open"] = len(os.listdir("/proc/self/fd")) - len(descriptors) - 1 + 3 * task.get("closed", 0)
    if "account" in task:
        done["account"] = PAM.pam_acct_mgmt(handle, 0)
    name = ctypes.c_char_p()
    PAM.pam_get_item(handle, USER, ctypes.byref(name))
    done["user"] = name.value.decode("latin-1") if name.value else None
    PAM.pam_getenvlist.restype = ctypes.POINTER(ctypes.c_char_p)
    variables = PAM.pam_getenvlist(handle)
    done["environment"] = {}
    for index in range(100):
        if not variables[index]:
            break
        key, _, value = variables[index].decode("latin-1").partition("=")
        done["environment"][key] = value
    PAM.pam_end(handle, done["code"])
    done["secrets"] = secret_pages("self")
    os.write(report, json.dumps(done).encode())


if __name__ == "__main__":
    main()
