# SPDX-License-Identifier: Apache-2.0
# A console that waits for a second device, opened with the host's key as the module opens it (seal.md).
from house import HOST, PUBLIC
from standin import host_key
from support import seal
from support.wire import Wire


def call(path, message):
    """One request at the public socket: the status, and the JSON of the answer."""
    answer = Wire(f"unix:{PUBLIC}").post(path, message)
    return answer.status, answer.json if answer.body else {}


class Console:
    """Opens a session for the identities of an account."""

    def __init__(self, ids, account="alice", service="sshd", source="203.0.113.9", life=90):
        self.key = host_key()
        question = seal.question(HOST, ids, service, account, source, life)
        self.question = seal.number_of(question)
        status, session = call("/rps/getQrUrl", seal.asks(question, self.key))
        assert status == 200, f"getQrUrl: {status} {session}"
        self.number, self.wid = session["accessNumber"], session["qrUrl"].partition("#")[2]
        self.life = session["ttlSeconds"]
        sealed = seal.session(self.question, self.wid, self.number, self.life)
        assert seal.answer_tag(sealed, self.key).hex() == session["sessionTag"], "the session is not sealed"

    @property
    def attempt(self):
        return self.question[:8].hex()

    @property
    def approval_code(self):
        """The code of this session, grouped."""
        code = seal.code_of(self.question, self.wid, self.key)
        return f"{code[:3]}-{code[3:]}"

    def verdict(self):
        """mpind's verdict on this session: the status, and the verdict and the id from its sealed answer."""
        status, body = call("/mpinAuthenticate", {"A": self.question.hex()})
        answer = bytes.fromhex(body.get("answer", ""))
        if not answer:
            return status, None, None
        assert seal.answer_tag(answer, self.key).hex() == body["answerTag"], "the answer is not sealed"
        head = seal.ANSWER + self.question + b"\x02"
        assert answer.startswith(head), "not an answer to this question by the method phone"
        rest = answer[len(head):]
        return status, rest[0], rest[1:33].hex()
