"""Servers that misbehave harm nobody but themselves: the host gets a clear failure, or nothing, and the gateway goes on."""

import json
import queue
import unittest

from harness import FORMS, Case, scripted, text_of, until


class Misbehaving(Case):
    def begin(self, behaviour, capabilities=FORMS, *words):
        """A host and a server that misbehaves when its tool `misbehave` is called."""
        peer = self.peer(scripted(behaviour, *words), ["--name", "odd"])
        peer.begin(capabilities)
        peer.choose("session-1")
        return peer

    def goes_on(self, peer):
        self.assertIn("noted after", text_of(peer.call("note", {"text": "after"})))

    def answers_to(self, peer, identity):
        """How often a request was answered, once everything that was said before has come."""
        self.goes_on(peer)
        return [m for m in peer.seen if m.get("id") == identity and "method" not in m]

    def test_one_that_hangs_does_not_hold_up_other_calls(self):
        peer = self.begin("hangs")
        identity = peer.request("tools/call", {"name": "misbehave", "arguments": {"text": "x"}})
        self.assertEqual(self.answers_to(peer, identity), [])
        peer.notify("notifications/cancelled", {"requestId": identity})
        self.goes_on(peer)
        self.assertEqual(peer.leave(), 0)

    def test_one_that_says_nothing_at_all_is_left_when_the_host_leaves(self):
        peer = self.peer(scripted("hangs-at-once"))
        identity = peer.request("ping")
        self.assertEqual(peer.leave(), 0)
        failure = peer.answer_to(identity)["error"]
        self.assertIn("the server ended before it answered", failure["message"])

    def test_one_that_never_lists_its_tools_has_none_that_can_be_called(self):
        self.place.wait_briefly()
        peer = self.begin("hangs-with-tools")
        result = peer.call("note", {"text": "x"})
        self.assertTrue(result["isError"])
        self.assertIn("the server did not list its tools in time", text_of(result))

    def test_one_that_takes_nothing_is_ended_when_the_host_leaves(self):
        peer = self.begin("stops-reading")
        peer.request("tools/call", {"name": "misbehave", "arguments": {"text": "x"}})
        self.assertEqual(peer.leave(), 0)

    def test_a_flood_of_notifications_passes_in_order(self):
        peer = self.begin("floods")
        result = peer.call("misbehave", {"text": "x"})
        self.assertEqual(text_of(result), "done")
        flood = [m["params"]["data"] for m in peer.seen if m.get("method") == "notifications/message"]
        self.assertEqual(flood, [f"flood {number}" for number in range(20_000)])

    def test_only_the_first_answer_counts(self):
        peer = self.begin("answers-twice")
        identity = peer.request("tools/call", {"name": "misbehave", "arguments": {"text": "x"}})
        answers = self.answers_to(peer, identity)
        self.assertEqual([text_of(answer["result"]) for answer in answers], ["first"])
        peer.until_noted("the server answered something that nobody asked, or twice")

    def test_answers_to_what_nobody_asked_are_dropped(self):
        peer = self.begin("answers-others")
        identity = peer.request("tools/call", {"name": "misbehave", "arguments": {"text": "x"}})
        answers = self.answers_to(peer, identity)
        self.assertEqual([text_of(answer["result"]) for answer in answers], ["for you"])
        self.assertFalse(any("for somebody else" in json.dumps(message) for message in peer.seen))

    def test_long_answers(self):
        peer = self.begin("says-much")
        # What is not too long comes whole.
        result = peer.call("misbehave", {"text": "10"})
        self.assertEqual(len(text_of(result)), 10 << 20)
        for megabytes in ("20", "100"):
            identity = peer.request("tools/call", {"name": "misbehave", "arguments": {"text": megabytes}})
            answers = self.answers_to(peer, identity)
            self.assertFalse([answer for answer in answers if "result" in answer])
        peer.until_noted("too long to be read")
        # What is too long is not kept until its end comes.
        self.assertLess(peer.most_memory(), 256 << 20)

    def test_what_is_no_message_is_dropped(self):
        for nonsense in ("cut", "key twice", "id twice", "no JSON", "no text", "no object", "both", "deep", "kind"):
            with self.subTest(nonsense):
                peer = self.begin("says-nonsense")
                identity = peer.request("tools/call", {"name": "misbehave", "arguments": {"text": nonsense}})
                answers = self.answers_to(peer, identity)
                self.assertFalse([answer for answer in answers if "result" in answer], answers)
                peer.leave()

    def test_a_result_of_an_unknown_kind_is_a_failure(self):
        peer = self.begin("says-nonsense")
        failure = peer.call("misbehave", {"text": "kind"})
        self.assertEqual(failure["code"], -32603)
        self.assertIn("the answer of the server cannot be used", failure["message"])

    def test_what_is_printed_between_messages_is_dropped(self):
        peer = self.begin("chatters")
        self.assertEqual(len(peer.ask("tools/list")["tools"]), 2)
        self.goes_on(peer)
        peer.until_noted("the server said something that is no message")

    def test_one_that_dies_fails_its_calls_and_is_started_again(self):
        for behaviour in ("dies", "dies-in-the-middle"):
            with self.subTest(behaviour):
                peer = self.begin(behaviour)
                failure = peer.call("misbehave", {"text": "x"})
                self.assertEqual(failure["code"], -32603)
                self.assertIn("the server ended before it answered", failure["message"])
                self.assertEqual(self.place.audit("outcome")[-1]["outcome"], "uncertain")
                until(lambda: "noted" in text_of(peer.call("note", {"text": "after"})), peer.notes)
                self.assertEqual(peer.leave(), 0)

    def test_one_that_cannot_be_started_is_said_so(self):
        peer = self.peer(["/nonexistent/server"])
        self.assertEqual(peer.ended(), 2)
        self.assertTrue(any("`/nonexistent/server` cannot be started" in note for note in peer.notes), peer.notes)


class Posing(Case):
    """Servers that try to pass for the gateway."""

    def test_a_question_that_looks_like_ours_bears_the_name_of_its_server(self):
        peer = self.peer(scripted("asks-alike"), ["--name", "liar"])
        peer.begin(FORMS)
        peer.choose("session-1")
        result = peer.call("misbehave", {"text": "x"})
        asked = [m["params"]["message"] for m in peer.seen if m.get("method") == "elicitation/create"]
        self.assertEqual(len(asked), 2)
        self.assertTrue(asked[1].startswith("The server liar asks (this is not Portcullis): Portcullis asks."))
        self.assertEqual(json.loads(text_of(result))["content"], {"answer": "session-1"})
        self.assertEqual(len(self.place.audit("answer")), 1)

    def test_a_server_whose_name_steers_terminals_is_shown_plainly(self):
        peer = self.peer(scripted("asks-alike"), ["--name", "a\u001b[2Jb\u202ec"])
        peer.begin(FORMS)
        peer.choose("session-1")
        peer.call("misbehave", {"text": "x"})
        for message in peer.seen:
            self.assertNotIn("\u001b", json.dumps(message, ensure_ascii=False))
            self.assertNotIn("\u202e", json.dumps(message, ensure_ascii=False))

    def test_names_of_our_own_requests_are_of_no_use_to_a_server(self):
        record = self.place.root / "record"
        self.place.settings("[asking]\nwait = 5\n")
        peer = self.peer(scripted("uses-our-ids", record))
        peer.begin(FORMS)
        # Tools were not listed, so the gateway lists them, and the server learns how it names its requests.
        peer.choose_for_gateway("once")
        names = json.loads(text_of(peer.call("misbehave", {"text": "x"})))
        self.assertTrue(names[0].startswith("portcullis-"), names)
        del peer.answers["elicitation/create"]
        # The server's questions are open under the names that ours would have. Ours has another one.
        identity = peer.request("tools/call", {"name": "note", "arguments": {"text": "y"}})
        question = peer.wait(
            lambda m: m.get("method") == "elicitation/create" and m["params"]["message"].startswith("Portcullis asks")
        )
        theirs = [m["id"] for m in peer.seen if m.get("method") == "elicitation/create" and "colour" in str(m)]
        self.assertNotIn(question["id"], theirs)
        for name in theirs:
            peer.send({"id": name, "result": {"action": "accept", "content": {"answer": "session-1"}}})
        self.assertTrue(peer.answer_to(identity)["result"]["isError"])
        self.assertEqual([answer["choice"] for answer in self.place.audit("answer")], ["once"])
        self.assertEqual(len(record.read_text().splitlines()), 1)

    def test_one_name_for_two_requests_is_refused(self):
        peer = self.peer(scripted("uses-one-id-twice"))
        peer.begin({**FORMS, "roots": {}})
        peer.choose("session-1")
        result = peer.call("misbehave", {"text": "x"})
        self.assertIn("a request with this id is still open", text_of(result))
        self.assertEqual(len([m for m in peer.seen if m.get("method") == "roots/list"]), 1)

    def test_a_state_that_poses_as_ours_answers_no_question_of_ours(self):
        record = self.place.root / "record"
        peer = self.peer(scripted("forges-state", record), ["--name", "liar"])
        peer.stateless = True
        peer.capabilities = FORMS

        def once(name, arguments):
            """A call that the user allows once."""
            asked = peer.ask("tools/call", {"name": name, "arguments": arguments})
            self.assertTrue(asked["inputRequests"]["portcullis"]["params"]["message"].startswith("Portcullis asks"))
            given = {"portcullis": {"action": "accept", "content": {"answer": "once"}}}
            again = {"name": name, "arguments": arguments, "inputResponses": given}
            return asked["requestState"], peer.ask("tools/call", {**again, "requestState": asked["requestState"]})

        # A question about another call is left open.
        other = peer.ask("tools/call", {"name": "note", "arguments": {"text": "secret plan"}})
        self.assertEqual(other["resultType"], "input_required")
        # The server's own question comes back with the state of that one.
        _, forged = once("misbehave", {"text": other["requestState"]})
        if forged.get("resultType") == "input_required":
            given = {"portcullis": {"action": "accept", "content": {"answer": "session-1"}}}
            peer.ask("tools/call", {
                "name": "misbehave", "arguments": {"text": other["requestState"]}, "inputResponses": given,
                "requestState": forged["requestState"]})
        self.assertEqual([answer["choice"] for answer in self.place.audit("answer")], ["once"])
        self.assertIn("the answer of the server cannot be used", json.dumps(forged))

    def test_a_question_of_the_server_in_the_era_without_sessions_is_its_own(self):
        peer = self.peer(scripted("forges-state"), ["--name", "liar"])
        peer.stateless = True
        peer.capabilities = FORMS
        call = {"name": "misbehave", "arguments": {"text": "a state of the server"}}
        asked = peer.ask("tools/call", call)
        given = {"portcullis": {"action": "accept", "content": {"answer": "once"}}}
        result = peer.ask("tools/call", {**call, "inputResponses": given, "requestState": asked["requestState"]})
        self.assertEqual(result["requestState"], "a state of the server")
        message = result["inputRequests"]["portcullis"]["params"]["message"]
        self.assertEqual(message, "The server liar asks (this is not Portcullis): Which colour?")


class Lists(Case):
    """Servers that list their tools badly."""

    def test_of_two_tools_with_one_name_neither_is_more_than_was_shown(self):
        peer = self.peer(scripted("lists-twice"))
        peer.begin(FORMS)
        names = [tool["name"] for tool in peer.ask("tools/list")["tools"]]
        self.assertEqual(len(names), len(set(names)), names)
        peer.until_noted("a tool of the list is left out")

    def test_lists_that_differ_each_time_are_taken_as_they_come(self):
        peer = self.peer(scripted("lists-otherwise"))
        peer.begin(FORMS)
        peer.choose("once")
        # Nobody has listed the second page, and it is looked for where a call needs it.
        self.assertIn("noted x", text_of(peer.call("misbehave1", {"text": "x"})))
        first = peer.ask("tools/list")
        self.assertEqual(first["nextCursor"], "page of 2")
        peer.ask("tools/list", {"cursor": first["nextCursor"]})
        self.assertIn("noted x", text_of(peer.call("misbehave2", {"text": "x"})))
        gone = peer.call("misbehave1", {"text": "x"})
        self.assertIn("lists no tool `misbehave1`", text_of(gone))

    def test_a_list_without_end_ends(self):
        peer = self.peer(scripted("lists-forever"))
        peer.begin(FORMS)
        peer.choose("session-1")
        self.assertTrue(peer.call("nothing", {"text": "x"})["isError"])
        self.assertIn("noted x", text_of(peer.call("note", {"text": "x"})))


class Hosts(Case):
    """Hosts that misbehave are told so."""

    def test_what_is_no_message_is_answered_and_nothing_reaches_the_server(self):
        record = self.place.root / "record"
        peer = self.peer(scripted("behaves", record))
        peer.begin(FORMS)
        peer.choose("session-1")
        peer.call("note", {"text": "allowed"})
        call = b'"method":"tools/call","params":{"name":"note","arguments":'
        for line, code in (
            (b"nonsense", -32700),
            (b'{"jsonrpc":"2.0","id":50,' + call + b'{"text":"a"},"arguments":{"text":"b"}}}', -32700),
            (b'{"jsonrpc":"2.0","id":51,' + call + b'{"text":"a","text":"b"}}}', -32700),
            (b'{"jsonrpc":"2.0","id":52,"method":"tools/list",' + call + b'{"text":"a"}}}', -32700),
            (b'{"jsonrpc":"2.0","id":53,' + call + b'["a"]}}', -32602),
            (b'{"jsonrpc":"2.0","id":54,"method":"tools/call","params":[1]}', -32602),
            (b'{"jsonrpc":"2.0","id":55,' + call + b'{"text":"' + b"x" * (17 << 20) + b'"}}}', -32700),
        ):
            peer.send_bytes(line)
            failure = peer.wait(lambda m: "error" in m)
            self.assertEqual(failure["error"]["code"], code, line[:80])
        # As a notification nobody could be told, so that it is not passed on.
        peer.send_bytes(b'{"jsonrpc":"2.0",' + call + b'{"text":"a"}}}')
        self.assertIn("noted end", text_of(peer.call("note", {"text": "end"})))
        kept = [json.loads(line)["text"] for line in record.read_text().splitlines()]
        self.assertEqual(kept, ["allowed", "end"])

    def test_calls_in_a_batch_are_judged_one_by_one_and_answered_together(self):
        record = self.place.root / "record"
        self.place.wait_briefly()
        peer = self.peer(scripted("behaves", record))
        peer.begin()
        peer.ask("tools/list")
        calls = [
            {"jsonrpc": "2.0", "id": n, "method": "tools/call", "params": {
                "name": "note", "arguments": {"text": str(n)}}}
            for n in (71, 72)
        ]
        peer.send_bytes(json.dumps(calls).encode())
        answers = json.loads(peer.arrived.get(timeout=60))
        self.assertEqual(sorted(answer["id"] for answer in answers), [71, 72])
        self.assertTrue(all(answer["result"]["isError"] for answer in answers))
        self.assertFalse(record.exists())
        with self.assertRaises(queue.Empty):
            peer.arrived.get_nowait()


if __name__ == "__main__":
    unittest.main()
