"""Hosts of `serve` that misbehave: who may knock, and what becomes of streams that break or are not read."""

import json
import socket
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor

from harness import FORMS, STATELESS, scripted, text_of, until
from serving import BOTH, JSON, ServeCase, Web, children, runs, table

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


class Knocking(ServeCase):
    """Who may knock, and how."""

    def setUp(self):
        super().setUp()
        self.record = self.place.root / "record"
        self.named(table("one", scripted("behaves", self.record)), table("two", scripted("behaves", self.record)))
        self.serves = self.serve()

    def web(self, path="/servers/one", **more):
        return Web(self.serves, path, **more)

    def refused(self, reply, status, text=None):
        body = reply.body()
        self.assertEqual(reply.status, status, body)
        if text:
            self.assertIn(text, json.dumps(body))
        return reply

    def test_only_who_knows_the_token(self):
        web = self.web()
        for given in ("", "Bearer", "Bearer x", f"Basic {self.serves.token()}", f"Bearer {self.serves.token()}0",
                      f"Bearer {self.serves.token()[:-1]}", self.serves.token()):
            for method in ("POST", "GET", "DELETE", "OPTIONS"):
                reply = self.refused(web.knock(method, PING, Authorization=given), 401)
                self.assertTrue(reply.headers["www-authenticate"].startswith("Bearer"))
        self.refused(web.knock(body=PING, without=("Authorization",)), 401, "`portcullis connect` knows it")
        # Neither do headers of the bridge help, nor is anything told of what is where.
        self.refused(web.knock(body=PING, path="/servers/none", without=("Authorization",)), 401)
        forged = {"Portcullis_Host": "pid:1", "Portcullis_Workspace": str(self.place.workspace)}
        self.refused(web.knock(body=PING, without=("Authorization",), **forged), 401)
        self.assertEqual(children(self.serves.process.pid), [])

    def test_no_page_in_a_browser_and_no_name_of_others(self):
        web = self.web()
        port = self.serves.port
        for headers in ({"Host": "evil.example"}, {"Host": f"evil.example:{port}"}, {"Host": f"127.0.0.1:{port + 1}"},
                        {"Host": f"localhost.evil.example:{port}"}, {"Origin": "https://evil.example"},
                        {"Origin": "null"}, {"Origin": f"http://127.0.0.1.evil.example:{port}"}):
            self.refused(web.knock(body=PING, **headers), 403)
        # What a page may send without asking before is not taken, even of this machine.
        self.refused(web.knock(body=PING, Origin="http://localhost:3000", Content_Type="text/plain"), 415)
        asked = web.knock("OPTIONS", Origin="http://localhost:3000", Access_Control_Request_Method="POST")
        self.assertEqual(asked.status, 405)
        self.assertFalse([name for name in asked.headers if name.lower().startswith("access-control")])
        asked.close()

    def test_without_a_token_pages_are_kept_out_all_the_same(self):
        serves = self.serve("--without-token")
        web = Web(serves, "/servers/one")
        web.headers = {}
        self.assertEqual(web.begin(FORMS)["serverInfo"]["name"], "scripted")
        self.refused(web.knock(body=PING, Origin="https://evil.example"), 403)
        self.refused(web.knock(body=PING, Host="evil.example"), 403)

    def test_other_machines_cannot_reach_it(self):
        for address in ("0.0.0.0:0", "[::]:0", "192.0.2.1:0"):
            ended = self.place.command("serve", "--listen", address, check=False)
            self.assertEqual(ended.returncode, 2)
            self.assertIn("listen on 127.0.0.1 or [::1]", ended.stderr)

    def test_what_cannot_be_taken_is_said_so(self):
        web = self.web()
        for path in ("/", "/mcp/", "/servers", "/servers/", "/servers/none", "/servers/one/", "/servers/../mcp", "/MCP"):
            self.refused(web.knock(body=PING, path=path), 404)
        self.refused(web.knock("GET"), 405)
        self.refused(web.knock("DELETE"), 405)
        self.refused(web.knock("PUT", PING), 405)
        self.refused(web.knock(body=PING), 400, "Mcp-Session-Id")
        for kind in ("text/plain", "application/x-www-form-urlencoded", "application/jsonx"):
            self.refused(web.knock(body=PING, Content_Type=kind), 415)
        self.refused(web.knock(body=PING, without=("Content-Type",)), 415)
        for kinds in ("text/html", JSON, "text/event-stream"):
            self.refused(web.knock(body=PING, Accept=kinds), 406)
        for body in (b"", b"nonsense", b'{"jsonrpc":"2.0","id":1', b"\xff\xfe", b"[" * 100_000, b"[]", b"42",
                     b'{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}',
                     b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":{"b":1,"b":2}}}',
                     b'{"jsonrpc":"2.0","id":null,"method":"ping"}', b'{"jsonrpc":"1.0","id":1,"method":"ping"}'):
            self.refused(web.knock(body=body), 400)
        self.refused(web.knock(body=PING, MCP_Protocol_Version="1999-01-01"), 400)
        self.assertEqual(children(self.serves.process.pid), [])

    def test_a_message_that_is_too_long(self):
        web = self.web()
        web.begin(FORMS)
        body = json.dumps({**PING, "params": {"text": "x" * (17 << 20)}}).encode()
        # The answer may come before everything is said.
        with socket.create_connection(("127.0.0.1", self.serves.port), 60) as line:
            head = f"POST /servers/one HTTP/1.1\r\nHost: 127.0.0.1:{self.serves.port}\r\nContent-Length: {len(body)}\r\n"
            head += f"Content-Type: {JSON}\r\nAccept: {BOTH}\r\nMcp-Session-Id: {web.session}\r\n"
            line.sendall((head + f"Authorization: {web.headers['Authorization']}\r\n\r\n").encode())
            try:
                line.sendall(body)
            except OSError:
                pass
            self.assertIn(b" 413 ", line.recv(4096).split(b"\r\n")[0])
        self.assertEqual(web.ask("tools/list")["tools"][0]["name"], "note")

    def test_sessions_are_of_one_server(self):
        web = self.web()
        self.refused(web.knock(body=PING, Mcp_Session_Id="f" * 32), 404, "begin a new one with `initialize`")
        web.begin(FORMS)
        for path in ("/servers/two", "/mcp"):
            self.refused(web.knock(body=PING, path=path), 404)
            self.refused(web.knock("GET", path=path), 404)
        self.assertEqual(web.ask("tools/list")["tools"][0]["name"], "note")

    def test_a_session_is_not_ended_at_another_server(self):
        web = self.web()
        web.begin(FORMS)
        self.refused(web.knock("DELETE", path="/servers/two"), 404)
        self.assertEqual(web.ask("tools/list")["tools"][0]["name"], "note")

    def test_a_session_that_is_ended_takes_its_server_along(self):
        web, other = self.web(), self.web()
        web.begin(FORMS)
        [first] = children(self.serves.process.pid)
        other.begin(FORMS)
        self.assertEqual(len(children(self.serves.process.pid)), 2)
        self.assertEqual(web.end(), 200)
        until(lambda: not runs(first), "the end of the server")
        self.refused(web.knock(body=PING), 404)
        self.refused(web.knock("DELETE"), 404)
        self.assertEqual(len(other.ask("tools/list")["tools"]), 2)

    def test_a_session_that_is_ended_ends_its_streams(self):
        web = self.web()
        web.begin(FORMS)
        listener = self.listener(web.knock("GET"))
        self.assertEqual(web.end(), 200)
        self.assertIsNone(listener.wait())

    def test_a_batch_is_answered_together(self):
        web = self.web()
        web.begin(FORMS, "2025-03-26")
        batch = [{**PING, "id": number, "method": method} for number, method in ((1, "tools/list"), (2, "ping"))]
        reply = web.knock(body=[*batch, {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 9}}])
        answers = []
        for message in reply.messages():
            answers += message if isinstance(message, list) else [message]
        self.assertEqual(sorted(answer["id"] for answer in answers), [1, 2])
        told = web.knock(body=[{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 9}}])
        self.assertEqual(told.status, 202)
        told.close()
        # No session begins in a batch.
        web.session = web.version = None
        begins, _ = web.request("initialize", {})
        self.refused(web.knock(body=[begins]), 400)

    def test_a_session_that_is_ended_waits_for_no_answer(self):
        web = self.web()
        web.begin(FORMS)
        listener = self.listener(web.send("tools/call", {"name": "note", "arguments": {"text": "x"}}))
        self.assertEqual(listener.wait()["method"], "elicitation/create")
        self.assertEqual(self.place.questions(), [("open", 1)])
        self.assertEqual(web.end(), 200)
        self.assertIn("error", listener.wait())
        self.assertIsNone(listener.wait())
        until(lambda: self.place.questions()[0][1] == 0, self.place.questions)

    def test_two_requests_of_one_name(self):
        web = self.web()
        web.begin(FORMS)
        open_one = web.send("tools/call", {"name": "note", "arguments": {"text": "x"}}, "same")
        question = next(open_one.messages())
        self.refused(web.send("tools/list", None, "same"), 400, "a request with this id is still open")
        web.tell({"id": question["id"], "result": {"action": "accept", "content": {"answer": "once"}}})
        self.assertIn("noted x", text_of(web.hear(open_one)["result"]))

    def test_headers_that_say_something_else_than_the_body(self):
        web = self.web()
        web.stateless = True
        call = {"name": "note", "arguments": {"text": "x"}}
        message, headers = web.request("tools/call", call)
        for wrong in ({"Mcp-Method": "tools/list"}, {"Mcp-Name": "misbehave"}, {"MCP-Protocol-Version": "2025-11-25"},
                      {"Mcp-Method": None}, {"Mcp-Name": None}, {"MCP-Protocol-Version": None}):
            sent = {name: value for name, value in {**headers, **wrong}.items() if value is not None}
            reply = web.knock(body=message, **sent)
            body = reply.body()
            self.assertEqual((reply.status, body["error"]["code"]), (400, -32020), (wrong, body))
        # Without what the body has to say of its revision.
        plain = {**message, "params": call}
        self.assertEqual(web.knock(body=plain, **headers).status, 400)
        self.assertFalse(self.record.exists())


class Alone(ServeCase):
    """Hosts without sessions share a connection, and know nothing of each other."""

    def begin(self, behaviour, *words, name="one"):
        self.record = self.place.root / "record"
        self.named(table(name, scripted(behaviour, self.record, *words)))
        self.serves = self.serve()
        return self.web()

    def web(self, **more):
        web = Web(self.serves, "/servers/one", **more)
        web.stateless = True
        web.capabilities = FORMS
        return web

    def allowed(self, web, tool, arguments, choice="session-1"):
        """Calls once, and allows it."""
        call = {"name": tool, "arguments": arguments}
        asked = web.ask("tools/call", call)
        self.assertEqual(asked["resultType"], "input_required", asked)
        return web.ask("tools/call", {**call, **web.given(asked, choice)})

    def test_an_answer_comes_with_the_call_and_counts_for_it(self):
        web = self.begin("behaves")
        self.assertIn("noted x", text_of(self.allowed(web, "note", {"text": "x"}, "once")))
        asked = web.ask("tools/call", {"name": "note", "arguments": {"text": "harmless"}})
        other = {"name": "note", "arguments": {"text": "something else"}, **web.given(asked, "once")}
        self.assertEqual(web.ask("tools/call", other)["resultType"], "input_required")
        self.assertEqual(len(self.record.read_text().splitlines()), 1)

    def test_two_hosts_with_the_same_names_get_their_own_answers(self):
        first = self.begin("slow")
        second = self.web()
        self.allowed(first, "note", {"text": "x"})
        call = lambda text: {"name": "misbehave", "arguments": {"text": text}, "_meta": {"progressToken": "same"}}
        # Both hang at the server, which has told of their progress.
        streams = []
        for web, text in ((first, "x"), (second, "x")):
            reply = web.send("tools/call", call(text), 7)
            told = next(reply.messages())
            self.assertEqual(told["params"], {"progressToken": "same", "progress": 0.5})
            streams.append(reply)
        answers = []

        def ask(web, text):
            reply = web.send("tools/call", {"name": "note", "arguments": {"text": text}}, 8)
            answer = web.hear(reply)
            answers.append((answer["id"], text_of(answer["result"])))

        threads = [threading.Thread(target=ask, args=pair) for pair in ((first, "first"), (second, "second"))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        self.assertEqual(sorted(answers), [(8, "noted first"), (8, "noted second")])
        for reply in streams:
            reply.close()

    def test_a_host_that_goes_away_takes_its_call_back(self):
        web = self.begin("slow")
        self.allowed(web, "note", {"text": "x"})
        call = {"name": "misbehave", "arguments": {"text": "x"}, "_meta": {"progressToken": 1}}
        listener = self.listener(web.send("tools/call", call))
        self.assertEqual(listener.wait()["method"], "notifications/progress")
        other = self.listener(self.web().send("tools/call", call))
        self.assertEqual(other.wait()["method"], "notifications/progress")
        listener.close()
        # The server tells so. That names no request, so that no other host gets to see it.
        self.serves.noted("heard that a call is cancelled")
        self.assertTrue(other.arrived.empty())

    def test_a_call_whose_host_is_gone_is_not_made_when_the_answer_comes(self):
        # Nobody can be asked in this host, so the question waits for somebody at a terminal.
        web = self.begin("behaves")
        web.capabilities = {}
        listener = self.listener(web.send("tools/call", {"name": "note", "arguments": {"text": "x"}}))
        until(lambda: self.place.decisions() == ["ask"], "the question")
        self.assertEqual(self.place.questions(), [("open", 1)])
        listener.close()
        until(lambda: self.place.questions()[0][1] == 0, self.place.questions)
        self.assertFalse(self.record.exists())

    def test_no_host_cancels_calls_of_another(self):
        web = self.begin("slow")
        self.allowed(web, "note", {"text": "x"})
        call = {"name": "misbehave", "arguments": {"text": "x"}, "_meta": {"progressToken": 1}}
        listener = self.listener(web.send("tools/call", call))
        self.assertEqual(listener.wait()["method"], "notifications/progress")
        other = self.web()
        for number in range(12):
            headers = {"MCP-Protocol-Version": STATELESS, "Mcp-Method": "notifications/cancelled"}
            message = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": f"request-{number}"}}
            reply = other.knock(body=message, **headers)
            reply.response.read()
            self.assertIn(reply.status, (202, 400))
            reply.close()
        # What was said to the server before has been heard by it when this is answered.
        other.ask("tools/call", {"name": "note", "arguments": {"text": "x"}})
        listener.close()
        # Only that it went away itself has been heard.
        heard = "heard that a call is cancelled"
        self.serves.noted(heard)
        other.ask("tools/call", {"name": "note", "arguments": {"text": "x"}})
        self.assertEqual(len([note for note in self.serves.notes if heard in note]), 1)

    def test_a_flood_before_an_answer_does_not_drown_it(self):
        web = self.begin("floods-much")
        self.allowed(web, "note", {"text": "x"})
        reply = web.send("tools/call", {"name": "misbehave", "arguments": {"text": "x"}})
        until(lambda: "flooded" in self.record.read_text(), "the end of the flood")
        self.assertEqual(text_of(web.hear(reply)["result"]), "done")

    def test_a_server_that_cannot_be_started_is_said_so(self):
        self.record = self.place.root / "record"
        self.named(table("one", ["/nonexistent/server"]))
        self.serves = self.serve()
        web = self.web()
        for _ in range(2):
            failure = web.ask("tools/list")
            self.assertIn("code", failure)


class Streams(ServeCase):
    """Streams that break, and hosts that do not read them."""

    def begin(self, behaviour, capabilities=FORMS):
        self.named(table("one", scripted(behaviour)))
        self.serves = self.serve()
        web = Web(self.serves, "/servers/one")
        web.begin(capabilities)
        web.choose("session-1")
        return web

    def test_a_stream_that_broke_is_gone_on_with(self):
        web = self.begin("requests", {**FORMS, "roots": {}})
        # The server asks the host something during its call, so that the test says when it goes on.
        wanted = json.dumps({"method": "roots/list"})
        reply = web.send("tools/call", {"name": "misbehave", "arguments": {"text": wanted}}, "broken")
        messages = reply.messages()
        while (message := next(messages))["method"] != "roots/list":
            web.answer(message)
        place = reply.last_event
        self.assertTrue(place)
        reply.close()
        web.tell({"id": message["id"], "result": {"roots": []}})
        again = self.listener(web.knock("GET", Last_Event_ID=place))
        answer = again.wait(lambda message: "method" not in message)
        self.assertEqual(answer["id"], "broken")
        self.assertIsNone(again.wait(), "the stream ends with the answer, and says it once")
        # The same place again tells the same, and nothing comes twice elsewhere.
        once_more = self.listener(web.knock("GET", Last_Event_ID=place))
        self.assertEqual(once_more.wait()["id"], "broken")
        self.assertIsNone(once_more.wait())
        for unknown, status in (("99-0", 404), ("nonsense", 400), ("", 400)):
            refused = web.knock("GET", Last_Event_ID=unknown)
            self.assertEqual(refused.status, status, unknown)
            refused.close()

    def test_many_calls_at_once_get_their_own_answers(self):
        web = self.begin("behaves")
        self.assertIn("noted first", text_of(web.call("note", {"text": "first"})))

        def call(number):
            reply = web.send("tools/call", {"name": "note", "arguments": {"text": f"number {number}"}}, f"call {number}")
            answer = web.hear(reply)
            reply.close()
            return answer["id"], text_of(answer["result"])

        with ThreadPoolExecutor(64) as pool:
            answers = list(pool.map(call, range(64)))
        self.assertEqual(answers, [(f"call {number}", f"noted number {number}") for number in range(64)])

    def test_a_host_that_does_not_read_harms_nobody(self):
        web = self.begin("floods")
        self.assertIn("noted before", text_of(web.call("note", {"text": "before"})))
        silent = web.knock("GET")
        other = Web(self.serves, "/servers/one")
        other.begin(FORMS)
        other.choose("session-1")
        # 20,000 messages go to the stream that nobody reads.
        self.assertEqual(text_of(web.call("misbehave", {"text": "x"})), "done")
        self.assertIn("noted after", text_of(other.call("note", {"text": "after"})))
        self.assertIn("noted after", text_of(web.call("note", {"text": "after"})))
        silent.close()

    def test_a_question_comes_on_the_stream_of_its_call(self):
        web = self.begin("behaves")
        silent = web.knock("GET")
        reply = web.send("tools/call", {"name": "note", "arguments": {"text": "x"}}, "asked")
        self.assertEqual(next(reply.messages())["method"], "elicitation/create")
        reply.close()
        silent.close()

    def test_a_flood_on_the_stream_of_a_call(self):
        web = self.begin("floods")
        reply = web.send("tools/call", {"name": "misbehave", "arguments": {"text": "x"}}, "flooded")
        answer = None
        while answer is None:
            for message in reply.messages():
                web.answer(message)
                if "method" not in message:
                    answer = message
            # Where it broke because more came than was read, it is gone on with.
            if answer is None:
                reply.close()
                reply = web.knock("GET", Last_Event_ID=reply.last_event)
                self.assertEqual(reply.status, 200)
        self.assertEqual(text_of(answer["result"]), "done")


if __name__ == "__main__":
    unittest.main()
