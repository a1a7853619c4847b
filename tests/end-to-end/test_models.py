"""The server that plays models in the tests of the program, held against the official libraries of those who run real ones."""

import json
import os
import subprocess
import unittest

import anthropic
import ollama
import openai
from pydantic import TypeAdapter

from harness import LONGEST, Case

PROVIDER = os.environ["PORTCULLIS_PROVIDER"]
KEY = "sk-portcullis-0123456789abcdef"
# What no grammar will ever read.
SENTENCE = "The moon is a lantern that outsiders shall not hang their letters on"
TEXT = '{"rules": []}'
# Headers that a provider looks at; all others say who asks.
LOOKED_AT = {"content-type", "key", "anthropic-version"}
# Either of them carries the key; the manual of Anthropic has the second, its library sends the first.
KEYS = ("authorization", "x-api-key")
FORMS = ("anthropic", "openai", "ollama")


class Played:
    """The server, which answers with these statuses."""

    def __init__(self, case, form, statuses):
        command = [PROVIDER, form, *map(str, statuses)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        case.addCleanup(self.process.stdout.close)
        case.addCleanup(self.process.wait)
        case.addCleanup(self.process.kill)

    def seen(self):
        """What it was asked."""
        told, _ = self.process.communicate(timeout=LONGEST)
        return [json.loads(line) for line in told.splitlines()]


def chat(form, url, body):
    """Asks in the words of the official library; returns its own object of the answer."""
    if form == "anthropic":
        return anthropic.Anthropic(base_url=url, api_key=KEY, max_retries=0).messages.create(**body)
    if form == "openai":
        return openai.OpenAI(base_url=url, api_key=KEY, max_retries=0).chat.completions.create(**body)
    return ollama.Client(host=url, headers={"authorization": f"Bearer {KEY}"}).chat(**body)


MESSAGES = [{"role": "user", "content": "hello"}]
BODIES = {
    "anthropic": {"model": "m", "max_tokens": 64, "messages": MESSAGES},
    "openai": {"model": "m", "messages": MESSAGES},
    "ollama": {"model": "m", "messages": MESSAGES, "stream": False},
}


def unknown_parts(value, path=""):
    """Where an answer has parts that the library does not know."""
    for name in getattr(value, "model_extra", None) or {}:
        yield f"{path}.{name}"
    inner = value if isinstance(value, list) else [part for _, part in value] if hasattr(value, "model_fields_set") else []
    for part in inner:
        yield from unknown_parts(part, f"{path}.{type(part).__name__}")


def looked_at(headers):
    return LOOKED_AT.intersection("key" if name in KEYS else name for name in headers)


class OfficialLibraries(Case):
    def test_the_libraries_read_the_answers_of_the_server(self):
        for form in FORMS:
            with self.subTest(form):
                answer = chat(form, Played(self, form, [200]).url, BODIES[form])
                # Read again with all checks, which the libraries themselves leave out.
                TypeAdapter(type(answer)).validate_json(answer.model_dump_json(), strict=True)
                self.assertEqual(list(unknown_parts(answer)), [])
                said = {
                    "anthropic": lambda: (answer.content[0].text, answer.stop_reason),
                    "openai": lambda: (answer.choices[0].message.content, answer.choices[0].finish_reason),
                    "ollama": lambda: (answer.message.content, answer.done_reason),
                }[form]()
                self.assertEqual(said, (TEXT, "end_turn" if form == "anthropic" else "stop"))

    def test_the_libraries_know_the_errors_of_the_server(self):
        for form, library in (("anthropic", anthropic), ("openai", openai)):
            known = {
                400: library.BadRequestError,
                401: library.AuthenticationError,
                404: library.NotFoundError,
                429: library.RateLimitError,
                500: library.InternalServerError,
            }
            for status, error in known.items():
                with self.subTest(form, status=status):
                    with self.assertRaises(error) as raised:
                        chat(form, Played(self, form, [status]).url, BODIES[form])
                    body = raised.exception.body
                    self.assertEqual(body.get("error", body)["message"], "no")
        with self.assertRaises(ollama.ResponseError) as raised:
            chat("ollama", Played(self, "ollama", [404]).url, BODIES["ollama"])
        self.assertEqual((raised.exception.status_code, raised.exception.error), (404, "no"))

    def test_the_server_refuses_what_the_real_ones_refuse(self):
        wrong = (
            ("anthropic", {**BODIES["anthropic"], "extra_body": {"made_up": 1}}, anthropic.BadRequestError),
            ("anthropic", {**BODIES["anthropic"], "messages": []}, anthropic.BadRequestError),
            ("openai", {**BODIES["openai"], "extra_body": {"made_up": 1}}, openai.BadRequestError),
            ("openai", {**BODIES["openai"], "messages": [{"role": "robot", "content": "x"}]}, openai.BadRequestError),
        )
        for form, body, error in wrong:
            with self.subTest(form, body=body), self.assertRaises(error):
                chat(form, Played(self, form, [200]).url, body)

    def test_the_program_asks_as_the_libraries_do(self):
        for form in FORMS:
            with self.subTest(form):
                asked = self.asked_by_program(form)
                # Calls are asked for three times, for the server never gives any.
                self.assertEqual(len(asked), 3)
                for request in asked:
                    library = Played(self, form, [200])
                    chat(form, library.url, request["body"])
                    (same,) = library.seen()
                    self.assertEqual(request["path"], same["path"])
                    self.assertEqual(request["body"], {name: same["body"][name] for name in request["body"]})
                    self.assertEqual(looked_at(request["headers"]), looked_at(same["headers"]))

    def asked_by_program(self, form):
        """What the program asks about a sentence that it does not understand."""
        server = Played(self, form, [200] * 3)
        settings = {"provider": form, "name": "model-x", "url": server.url, "key_env": "KEY_OF_THE_TEST"}
        lines = [f"{name} = {json.dumps(value)}" for name, value in settings.items()]
        self.place.settings("\n".join(["[model]", *lines, ""]))
        environment = {**self.place.environment(), "KEY_OF_THE_TEST": KEY}
        done = subprocess.run(
            [os.environ["PORTCULLIS_PROGRAM"], "invariant", "check", "--model", "--server", "gmail", SENTENCE],
            env=environment,
            cwd=self.place.workspace,
            capture_output=True,
            text=True,
            timeout=LONGEST,
        )
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("the model gave no calls to try rules on", done.stdout)
        self.assertNotIn(KEY, done.stdout + done.stderr)
        return server.seen()


if __name__ == "__main__":
    unittest.main()
