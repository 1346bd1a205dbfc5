"""What the clients below share: settings from the environment, signatures, and how a refusal is read."""

import hashlib
import hmac
import json
import os
import time

BASE_URL = os.environ["BASE_URL"]
STREAM_URL = BASE_URL.replace("http", "ws", 1)
API_KEY = os.environ["API_KEY"]
API_SECRET = os.environ["API_SECRET"]


class Refused(Exception):
    """A reply with a status of 400 or more. The clients convert the code, and a text would end them with a ValueError."""

    def __init__(self, status, body):
        fields = json.loads(body)
        self.status = status
        self.code = int(fields["code"])
        self.text = fields["msg"]
        super().__init__(f"{status} {self.code} {self.text}")


def reply_of(status, body):
    if status >= 400:
        raise Refused(status, body)
    return json.loads(body)


def sign(text):
    return hmac.new(API_SECRET.encode(), text.encode(), hashlib.sha256).hexdigest()


def now_ms(offset_ms=0):
    return int(time.time() * 1000 + offset_ms)


def say(report):
    """The last line is what the test reads."""
    print(json.dumps(report))
