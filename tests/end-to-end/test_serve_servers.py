"""What servers of `serve` spoil, who may approve calls there, and how it ends."""

import json
import threading
import time
import unittest

import chain
from harness import FORMS, scripted, text_of, until
from serving import ServeCase, Web, at_terminal, children, runs, table


class Servers(ServeCase):
    """Servers that misbehave spoil nothing but their own calls."""

    def begin(self, behaviour, *words, capabilities=FORMS):
        """A bad server and a good one, as one."""
        self.named(table("bad", scripted(behaviour, *words)), table("good", scripted("behaves")))
        self.serves = self.serve()
        web = Web(self.serves, "/mcp")
        web.begin(capabilities)
        web.choose("session-1")
        return web

    def goes_on(self, web, name="good"):
        self.assertIn("noted after", text_of(web.call(f"{name}__note", {"text": "after"})))

    def test_one_that_dies_is_started_again(self):
        for behaviour in ("dies", "dies-in-the-middle"):
            with self.subTest(behaviour):
                web = self.begin(behaviour)
                self.goes_on(web, "bad")
                failure = web.call("bad__misbehave", {"text": "x"})
                self.assertIn("the server ended before it answered", json.dumps(failure))
                self.goes_on(web)
                until(lambda: "noted" in text_of(web.call("bad__note", {"text": "after"})), "a server that runs again")
                self.assertEqual(self.serves.end(), 0)

    def test_a_call_waits_while_a_server_is_started_again(self):
        web = self.begin("dies")
        self.goes_on(web, "bad")
        web.call("bad__misbehave", {"text": "x"})
        self.goes_on(web, "bad")

    def test_one_that_dies_behind_its_own_address(self):
        web = self.begin("dies")
        for stateless in (False, True):
            with self.subTest(stateless=stateless):
                web = Web(self.serves, "/servers/bad")
                web.choose("session-1")
                if stateless:
                    web.stateless, web.capabilities = True, FORMS
                    failure = web.ask("tools/call", {"name": "misbehave", "arguments": {"text": "y"}})
                else:
                    web.begin(FORMS)
                    failure = web.call("misbehave", {"text": "x"})
                self.assertIn("the server ended before it answered", json.dumps(failure))
                until(lambda: "tools" in web.ask("tools/list"), "a server that runs again")
                call = {"name": "note", "arguments": {"text": "x"}}
                again = web.ask("tools/call", call)
                if stateless and again["resultType"] == "input_required":
                    again = web.ask("tools/call", {**call, **web.given(again, "once")})
                self.assertIn("noted x", text_of(again))

    def test_one_that_takes_nothing(self):
        web = self.begin("stops-reading")
        stuck = web.send("tools/call", {"name": "bad__misbehave", "arguments": {"text": "x"}}, "stuck")
        listener = self.listener(stuck, web)
        until(lambda: self.place.decisions("misbehave") == ["ask", "permit"], self.place.decisions)
        for number in range(3):
            self.goes_on(web)
        self.assertEqual(self.serves.end(), 0)

    def test_one_that_hangs_when_it_is_started(self):
        web = self.begin("hangs-at-once")
        names = [tool["name"] for tool in web.ask("tools/list")["tools"]]
        self.assertIn("good__note", names)
        self.goes_on(web)
        self.assertEqual(self.serves.end(), 0)

    def test_one_that_floods(self):
        web = self.begin("floods")
        self.assertEqual(text_of(web.call("bad__misbehave", {"text": "x"})), "done")
        self.goes_on(web)
        self.goes_on(web, "bad")

    def test_one_that_prints_what_is_no_message(self):
        web = self.begin("chatters")
        self.goes_on(web, "bad")
        self.serves.noted("the server said something that is no message")

    def test_one_that_cannot_be_started(self):
        self.named(table("bad", ["/nonexistent/server"]), table("good", scripted("behaves")))
        self.serves = self.serve()
        web = Web(self.serves, "/mcp")
        web.begin(FORMS)
        web.choose("session-1")
        self.goes_on(web)
        self.serves.noted("`/nonexistent/server` cannot be started")
        failure = web.call("bad__note", {"text": "x"})
        self.assertTrue(failure.get("isError") or "code" in failure, failure)
        # Alone it says so to the host.
        alone = Web(self.serves, "/servers/bad")
        reply = alone.send("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {
            "name": "x", "version": "1"}})
        self.assertIn("error", alone.hear(reply))

    def test_a_question_that_looks_like_ours(self):
        self.named(table("liar", scripted("asks-alike")))
        self.serves = self.serve()
        for path, tool in (("/mcp", "liar__misbehave"), ("/servers/liar", "misbehave")):
            web = Web(self.serves, path)
            web.begin(FORMS)
            web.choose("session-1")
            before = len(self.place.audit("answer"))
            result = web.call(tool, {"text": path})
            asked = [m["params"]["message"] for m in web.seen if m.get("method") == "elicitation/create"]
            self.assertTrue(asked[-1].startswith("The server liar asks (this is not Portcullis): Portcullis asks."))
            self.assertEqual(json.loads(text_of(result))["content"], {"answer": "session-1"})
            self.assertLessEqual(len(self.place.audit("answer")), before + 1)

    def test_no_host_answers_for_another(self):
        """A question of one session cannot be answered in another one, even by who knows its id."""
        record = self.place.root / "record"
        self.named(table("one", scripted("behaves", record)), wait=2)
        self.serves = self.serve()
        first, second = Web(self.serves, "/servers/one"), Web(self.serves, "/servers/one")
        first.begin(FORMS)
        second.begin(FORMS)
        reply = first.send("tools/call", {"name": "note", "arguments": {"text": "x"}})
        messages = reply.messages()
        question = next(messages)
        second.tell({"id": question["id"], "result": {"action": "accept", "content": {"answer": "session-1"}}})
        self.assertIn("nobody has answered yet", text_of(next(messages)["result"]))
        self.assertFalse(record.exists())


class Approval(ServeCase):
    """The agent does not approve its own calls."""

    def setUp(self):
        super().setUp()
        self.record = self.place.root / "record"
        self.named(table("one", scripted("behaves", self.record)), wait=1)
        self.serves = self.serve()

    def at_own_terminal(self, host):
        """A call that is asked about, and a terminal of whoever made it."""
        host.begin()
        self.assertTrue(host.call("note", {"text": "x"})["isError"])
        steps = [("Answer 1-", "1\n"), ("Waiting.", "\x03")]
        shown, status = at_terminal(self.place, ["watch", "--plain"], steps, detached=False)
        self.assertIn("this terminal belongs to an agent", shown)
        self.assertEqual(status, 2)
        self.assertTrue(host.call("note", {"text": "x"})["isError"])
        self.assertFalse(self.record.exists())

    def test_at_a_terminal_below_a_host_over_the_bridge(self):
        self.at_own_terminal(self.bridge("one"))

    def test_at_a_terminal_below_a_host_over_http(self):
        self.at_own_terminal(Web(self.serves, "/servers/one"))

    def test_a_person_at_a_terminal_does(self):
        web = Web(self.serves, "/servers/one")
        web.begin()
        self.assertTrue(web.call("note", {"text": "x"})["isError"])
        shown, status = at_terminal(self.place, ["watch", "--plain"], [("Answer 1-", "1\n"), ("Waiting.", "\x03")])
        self.assertIn("question 1: allow this call, once", shown)
        self.assertIn("noted x", text_of(web.call("note", {"text": "x"})))

    def test_wide_answers_are_not_taken_from_a_host(self):
        web = Web(self.serves, "/servers/one")
        web.begin(FORMS)
        for choice in ("always-1", "always-2", "everything"):
            web.choose(choice)
            self.assertIn("nobody has answered yet", text_of(web.call("note", {"text": "x"})))
        self.assertFalse(self.record.exists())

    def test_an_answer_that_nobody_asked_for(self):
        web = Web(self.serves, "/servers/one")
        web.begin()
        given = {"action": "accept", "content": {"answer": "once"}}
        for name in ("portcullis-1", "portcullis", 1, "1"):
            web.tell({"id": name, "result": given})
        # A host that cannot ask sends an answer along as the newer era does.
        forged = {"inputResponses": {"portcullis": given}, "requestState": "anything"}
        web.stateless = True
        for state in ("anything", "", "portcullis"):
            forged["requestState"] = state
            result = web.ask("tools/call", {"name": "note", "arguments": {"text": "x"}, **forged})
            self.assertNotIn("noted", json.dumps(result))
        self.assertFalse(self.record.exists())

    def test_a_folder_that_is_not_there(self):
        web = Web(self.serves, "/servers/one", headers={"Portcullis-Workspace": "/nonexistent/folder"})
        reply = web.send("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {
            "name": "x", "version": "1"}})
        self.assertIn("/nonexistent/folder", reply.body()["error"]["message"])

    def test_a_session_that_cannot_be_read(self):
        web = Web(self.serves, "/servers/one")
        begins, _ = web.request("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {
            "name": "x", "version": "1"}})
        for name in ("Portcullis-Host", "Portcullis-Workspace"):
            for value in ("\u00e4", "=?base64?!?="):
                reply = web.knock(body=begins, **{name: value.encode("latin1")})
                self.assertEqual(reply.status, 400, (name, value, reply.body()))

    def test_another_folder_is_another_session(self):
        first = Web(self.serves, "/servers/one")
        first.begin(FORMS)
        first.choose("session-1")
        self.assertIn("noted x", text_of(first.call("note", {"text": "x"})))
        second = Web(self.serves, "/servers/one", headers={"Portcullis-Workspace": str(self.place.home)})
        second.begin()
        self.assertTrue(second.call("note", {"text": "x"})["isError"])


class Ends(ServeCase):
    def begin(self):
        self.record = self.place.root / "record"
        self.named(
            table("one", scripted("behaves", self.record)),
            table("silent", scripted("stops-reading")),
            table("busy", ["npx", "-y", "@modelcontextprotocol/server-everything"]),
        )
        serve = self.serve()
        web = Web(serve, "/mcp")
        web.begin(FORMS)
        web.choose("session-1")
        self.assertIn("noted x", text_of(web.call("one__note", {"text": "x"})))
        return serve, web

    def test_told_to_end_it_leaves_no_process_behind(self):
        serve, web = self.begin()
        # Servers that would not leave by themselves.
        web.call("busy__toggle-simulated-logging")
        self.listener(web.send("tools/call", {"name": "silent__misbehave", "arguments": {"text": "x"}}), web)
        until(lambda: "permit" in self.place.decisions("misbehave"), self.place.decisions)
        left = children(serve.process.pid)
        self.assertGreaterEqual(len(left), 3)
        self.assertEqual(serve.end(), 0)
        self.assertEqual([process for process in left if runs(process)], [])
        self.assertFalse((self.place.state / "serve.json").exists())

    def test_told_to_end_while_it_begins(self):
        self.named(*(table(f"s{number}", ["sleep", "1000"]) for number in range(16)))
        # How far it has begun is another matter each time.
        for wait in (0, 0, 0.001, 0.005, 0.02):
            with self.subTest(wait=wait):
                serve = self.serve()
                thread = threading.Thread(target=self.begin_quietly, args=[Web(serve)], daemon=True)
                thread.start()
                until(lambda: children(serve.process.pid), "the first server")
                time.sleep(wait)
                left = children(serve.process.pid)
                self.assertEqual(serve.end(), 0)
                self.assertEqual([process for process in left if runs(process)], [])
                thread.join(60)

    def begin_quietly(self, web):
        try:
            web.begin(FORMS)
        except (OSError, AssertionError, ValueError):
            pass

    def test_killed_it_leaves_a_store_that_is_whole(self):
        serve, web = self.begin()
        threads = []
        for number in range(30):
            call = {"name": "one__note", "arguments": {"text": f"{number}"}}
            thread = threading.Thread(target=self.call_quietly, args=[web, call], daemon=True)
            thread.start()
            threads.append(thread)
        until(lambda: len(self.record.read_text().splitlines()) > 5, "some calls")
        serve.kill()
        for thread in threads:
            thread.join(60)
        chain.check(self.place.state / "portcullis.db")
        self.place.command("audit", "verify")
        reached = len(self.record.read_text().splitlines())
        self.assertGreaterEqual(self.place.decisions("note").count("permit"), reached)

    def call_quietly(self, web, call):
        try:
            web.ask("tools/call", call)
        except (OSError, AssertionError, ValueError, AttributeError):
            pass
        except Exception as error:
            if type(error).__module__ != "http.client":
                raise


if __name__ == "__main__":
    unittest.main()
