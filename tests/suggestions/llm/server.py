"""A server that speaks the OpenAI API on this machine and does what a test tells it to."""

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = "sk-canary-4f1d2c9b8a7e6f5d"


@dataclass
class Reply:
    """`text` is the model's answer; a status other than 200 sends `error` as the provider's words."""

    text: str = ""
    status: int = 200
    error: str = "the server is tired"
    headers: dict = field(default_factory=dict)
    delay: float = 0.0
    refusal: str | None = None
    finish: str = "stop"
    usage: tuple[int, int] | None = None
    body: str | None = None  # instead of everything else


Behaviour = Callable[[dict, int], Reply]


class ModelServer:
    """`behaviour` gets a request's body and its number from 0. `answered` counts what a provider would charge."""

    def __init__(self, behaviour: Behaviour):
        self.behaviour = behaviour
        self.requests: list[dict] = []
        self.keys: list[str] = []
        self.answered = 0
        self.at_once = self.most_at_once = 0
        self.lock = threading.Lock()
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                owner.reply(self, body)

            def log_message(self, *args):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.thread = threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.http.server_address[1]}/v1"

    def __enter__(self) -> "ModelServer":
        self.thread.start()
        return self

    def __exit__(self, *_) -> None:
        self.http.shutdown()
        self.http.server_close()

    def reply(self, handler: BaseHTTPRequestHandler, body: dict) -> None:
        with self.lock:
            number = len(self.requests)
            self.requests.append(body)
            self.keys.append(handler.headers.get("Authorization", ""))
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        reply = self.behaviour(body, number)
        time.sleep(reply.delay)
        with self.lock:
            self.at_once -= 1
            self.answered += reply.status == 200
        content = (reply.body if reply.body is not None else json.dumps(payload(body, reply))).encode()
        try:
            handler.send_response(reply.status)
            for name, value in {"Content-Type": "application/json", **reply.headers}.items():
                handler.send_header(name, value)
            handler.send_header("Content-Length", str(len(content)))
            handler.end_headers()
            handler.wfile.write(content)
        except (BrokenPipeError, ConnectionResetError):
            pass  # who asked did not wait


def payload(body: dict, reply: Reply) -> dict:
    if reply.status != 200:
        return {"error": {"message": reply.error, "type": "server_error", "code": None}}
    message = {"role": "assistant", "content": reply.text}
    if reply.refusal is not None:
        message |= {"content": None, "refusal": reply.refusal}
    inputs, outputs = reply.usage or (tokens(said(body)), tokens(reply.text))
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": reply.finish}],
        "usage": {"prompt_tokens": inputs, "completion_tokens": outputs, "total_tokens": inputs + outputs},
    }


def said(body: dict) -> str:
    return "\n".join(str(message["content"]) for message in body["messages"])


def tokens(text: str) -> int:
    """By a real tokenizer, so that estimates meet what a provider would count."""
    from suggestions.llm.client import litellm

    return litellm().token_counter(model="gpt-4o-mini", text=text)


def answering(value: object, **fields) -> Behaviour:
    text = value if isinstance(value, str) else json.dumps(value)
    return lambda body, number: Reply(text, **fields)


def in_turn(*replies: Reply) -> Behaviour:
    """One after the other; the last one stays."""
    return lambda body, number: replies[min(number, len(replies) - 1)]
