# SPDX-License-Identifier: Apache-2.0
# Every endpoint, for clients, authorities and applications, as requests that the server accepts.
import dataclasses
import time

from support import tags
from world import REDIRECT


@dataclasses.dataclass
class Request:
    """A request before it is encoded; `body` is a JSON value, octets, or None."""
    method: str
    path: str
    query: list = dataclasses.field(default_factory=list)
    body: object = None
    headers: list = dataclasses.field(default_factory=list)


def get(path, *query):
    return Request("GET", path, list(query))


def post(path, body, *query):
    return Request("POST", path, list(query), body)


def put(path, body):
    return Request("PUT", path, [], body)


def registration(world):
    body = {"userId": world.user_id, "mobile": 1, "deviceName": "a device", "userData": "text"}
    return {**body, **world.random.choice([{}, {"activateCode": world.code}, {"bound": 1},
                                           world.question("enroll")])}


def signed_secret(world):
    expires, secrets, identity = world.expires(), world.secrets, world.client.hash
    return [("mobile", "1"), ("expires", expires), ("app_id", secrets.app_id), ("hash_mpin_id", identity),
            ("hash_user_id", ""),
            ("signature", secrets.signature("clientSecret", secrets.app_id, identity, expires))]


def signed_permit(world):
    identity = world.client.hash
    return [("hash_mpin_id", identity), ("app_id", world.secrets.app_id), ("mobile", "1"),
            ("signature", world.secrets.signature(identity))]


def pass1(world):
    plain = {"pass": 1, "mpin_id": world.mpin_id(), "U": world.point(), "UT": world.point()}
    return world.random.choice([plain, {**plain, **world.question()}, {**plain, "seen": world.last("seen")}])


def pass2(world):
    more = [{}, {}, {"OTP": 1}, {"WID": world.last("wid", "accessNumber")}, {"n": world.last("n", digits=64)}]
    return {**world.pass2(), **world.random.choice(more)}


def login(world):
    said = {"authOTT": world.last("authOTT"), "version": "0.3", "pass": 2}
    said = {"mpinResponse": said if world.random.random() < 0.7 else world.proved()}
    question = {"A": world.last("A", digits=64)}
    return world.random.choice([said, said, {**said, **question}, question,
                                {**question, "id": world.client.hash}])


def named(world, request):
    """The request of an application that sends its client id."""
    request.headers.append(("X-MIRACL-Client-ID", world.last("clientId")))
    return request


def code_status(world):
    said = {"status": world.random.choice(["wid", "user", "abort"]), "wid": world.last("wid", "accessNumber")}
    return {**said, **world.random.choice([{}, {"userId": world.user_id}, {"A": world.last("A", digits=64)}])}


def waiting(world):
    now = int(time.time()) + world.random.choice([0, 0, -600, 601, -2**62])
    key = world.client.device_key or bytes(32)
    tag = tags.waiting(key, world.client.hash, abs(now)) if world.random.random() < 0.7 else world.last("n")
    return {"id": world.client.hash, "time": world.random.choice([now, str(now)]), "deviceTag": tag}


PARTY = [
    lambda world: post(f"/user/{world.mpin_id()}", {"activateKey": world.activate_key()}),
    lambda world: post("/authenticate", {"authOTT": world.last("authOTT"), "logoutURL": "/x",
                                         "logoutData": {}}),
    lambda world: post("/loginResult", {"authOTT": world.last("authOTT"), "status": 200, "message": ""}),
]
ENDPOINTS = [
    lambda world: get("/rps/clientSettings"),
    lambda world: put("/rps/user", registration(world)),
    lambda world: put(f"/rps/user/{world.mpin_id()}",
                      {**registration(world), "regOTT": world.last("regOTT")}),
    lambda world: get(f"/rps/signature/{world.mpin_id()}", ("regOTT", world.last("regOTT")),
                      ("pmiToken", "x")),
    lambda world: get(f"/rps/signature/{world.mpin_id()}", ("regOTT", world.last("regOTT")),
                      ("A", world.last("A", digits=64))),
    lambda world: post(f"/rps/setupDone/{world.mpin_id()}", b""),
    lambda world: get(f"/rps/timePermit/{world.mpin_id()}"),
    lambda world: post("/rps/pass1", pass1(world)),
    lambda world: post("/rps/pass1", pass1(world)),
    lambda world: post("/rps/pass2", pass2(world)),
    lambda world: post("/rps/pass2", pass2(world)),
    lambda world: post("/mpinAuthenticate", login(world)),
    lambda world: named(world, post("/mpinAuthenticate", login(world))),
    lambda world: post("/rps/authenticate", login(world)),
    lambda world: post("/rps/authenticate", login(world)),
    lambda world: post("/rps/getAccessNumber", b""),
    lambda world: post("/rps/getQrUrl", world.question()),
    lambda world: post("/rps/getQrUrl", {"prerollid": "x"}),
    lambda world: post("/rps/access", {"webOTT": world.last("webOTT")}),
    lambda world: post("/rps/codeStatus", code_status(world)),
    lambda world: post("/rps/waiting", waiting(world)),
    lambda world: post("/rps/otp", {**world.question(), "otpTags": ""}),
    lambda world: post("/rps/standing", world.question("standing")),
    lambda world: post("/rps/host", {"host": "fuzz-host", "joinId": world.last("joinId")}),
    lambda world: post("/mpinLogout", {"userId": world.user_id, "sessionToken": world.last("sessionToken")}),
    lambda world: get("/service"),
    lambda world: get("/status"),
    lambda world: get("/rps/mobileConfig"),
    lambda world: get("/dynamicOptions"),
    lambda world: get("/manage/getStackInfo"),
    lambda world: get("/dta2/clientSecret", *signed_secret(world)),
    lambda world: get("/dta2/timePermit", *signed_permit(world)),
    lambda world: get("/dta2/timePermits", *signed_permit(world), ("count", "7")),
    lambda world: get("/dta2/serverSecret", *signed_secret(world)),
    lambda world: get("/dta2/status"),
    *PARTY,
    lambda world: named(world, post("/authzurl", {})),
    lambda world: post("/authorize", b"", ("client_id", world.last("clientId")), ("response_type", "code"),
                       ("redirect_uri", REDIRECT), ("scope", "openid")),
    lambda world: named(world, post("/authtoken", {"code": world.last("code"),
                                                   "userID": world.friend.user_id})),
]
