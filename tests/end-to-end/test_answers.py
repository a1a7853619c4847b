"""What answers count for: this call, this session, this way of asking."""

import signal
import unittest
from pathlib import Path

from harness import FORMS, Case, Peer, scripted, text_of


class Answers(Case):
    def setUp(self):
        super().setUp()
        self.record = self.place.root / "record"

    def begin(self):
        peer = self.peer(scripted("behaves", self.record))
        peer.begin(FORMS)
        return peer

    def reached(self):
        return len(self.record.read_text().splitlines()) if self.record.exists() else 0

    def test_a_late_answer_counts_for_the_next_call(self):
        self.place.wait_briefly()
        peer = self.begin()
        peer.ask("tools/list")
        identity = peer.request("tools/call", {"name": "note", "arguments": {"text": "x"}})
        question = peer.wait(lambda m: m.get("method") == "elicitation/create")
        refused = peer.answer_to(identity)["result"]
        self.assertIn("nobody has answered yet", text_of(refused))
        peer.send({"id": question["id"], "result": {"action": "accept", "content": {"answer": "once"}}})
        self.assertIn("noted x", text_of(peer.call("note", {"text": "x"})))
        self.assertEqual(self.place.decisions(), ["ask", "permit"])

    def test_equal_calls_at_the_same_time_are_one_question(self):
        peer = self.begin()
        calls = [peer.request("tools/call", {"name": "note", "arguments": {"text": "x"}}) for _ in range(3)]
        question = peer.wait(lambda m: m.get("method") == "elicitation/create")
        peer.send({"id": question["id"], "result": {"action": "accept", "content": {"answer": "session-1"}}})
        for identity in calls:
            self.assertIn("noted x", text_of(peer.answer_to(identity)["result"]))
        self.assertEqual(len([m for m in peer.seen if m.get("method") == "elicitation/create"]), 1)

    def test_a_question_that_is_left_or_declined(self):
        peer = self.begin()
        for answer, text in (
            ({"action": "cancel"}, "nobody has answered yet"),
            ({"action": "accept"}, "nobody has answered yet"),
            ({"action": "accept", "content": {"answer": 7}}, "nobody has answered yet"),
            ({"action": "accept", "content": {"answer": "everything"}}, "nobody has answered yet"),
            ({"action": "perhaps"}, "nobody has answered yet"),
            ({"action": "decline"}, "The user refused the call"),
        ):
            peer.answers["elicitation/create"] = answer
            result = peer.call("note", {"text": "x"})
            self.assertTrue(result["isError"])
            self.assertIn(text, text_of(result), answer)
        self.assertEqual(self.reached(), 0)

    def test_wide_answers_are_not_taken_from_a_host(self):
        peer = self.begin()
        offered = []

        def wide(message):
            offered.extend(message["params"]["requestedSchema"]["properties"]["answer"]["enum"])
            return {"action": "accept", "content": {"answer": "always-1"}}

        peer.answers["elicitation/create"] = wide
        result = peer.call("note", {"text": "x"})
        self.assertNotIn("always-1", offered)
        self.assertIn("nobody has answered yet", text_of(result))
        peer.until_noted("this can only be allowed at a terminal")
        self.assertEqual(self.reached(), 0)

    def test_a_host_that_cannot_show_questions_after_all(self):
        peer = self.begin()
        identity = peer.request("tools/call", {"name": "note", "arguments": {"text": "x"}})
        question = peer.wait(lambda m: m.get("method") == "elicitation/create")
        peer.send({"id": question["id"], "error": {"code": -32601, "message": "no such method"}})
        self.assertIn("nobody has answered yet", text_of(peer.answer_to(identity)["result"]))


class Stateless(Case):
    """The same in the era without sessions, where the answer comes with the call."""

    def setUp(self):
        super().setUp()
        self.record = self.place.root / "record"
        self.connect()

    def connect(self):
        self.peer_ = self.peer(scripted("behaves", self.record))
        self.peer_.stateless = True
        self.peer_.capabilities = FORMS
        self.peer_.ask("tools/list")

    def ask(self, text, **more):
        return self.peer_.ask("tools/call", {"name": "note", "arguments": {"text": text}, **more})

    def given(self, asked, answer="once"):
        responses = {"portcullis": {"action": "accept", "content": {"answer": answer}}}
        return {"inputResponses": responses, "requestState": asked["requestState"]}

    def test_an_answer_counts_once(self):
        asked = self.ask("x")
        self.assertEqual(asked["resultType"], "input_required")
        self.assertIn("noted x", text_of(self.ask("x", **self.given(asked))))
        # The same answer again is no answer to the next question.
        again = self.ask("x", **self.given(asked))
        self.assertEqual(again["resultType"], "input_required")
        self.assertNotEqual(again["requestState"], asked["requestState"])
        self.assertEqual(len(self.record.read_text().splitlines()), 1)

    def test_an_answer_counts_for_the_call_that_it_was_asked_for(self):
        asked = self.ask("harmless")
        other = self.ask("something else", **self.given(asked))
        self.assertEqual(other["resultType"], "input_required")
        self.assertFalse(self.record.exists())

    def test_a_retry_without_an_answer_is_refused(self):
        asked = self.ask("x")
        result = self.ask("x", requestState=asked["requestState"])
        self.assertTrue(result["isError"])
        self.assertIn("nobody has answered yet", text_of(result))

    def test_a_host_without_questions_is_refused(self):
        self.place.wait_briefly()
        self.connect()
        self.peer_.capabilities = {}
        result = self.ask("x")
        self.assertTrue(result["isError"])
        self.assertEqual(result["resultType"], "complete")
        self.assertIn("nobody has answered yet", text_of(result))


class Sessions(Case):
    """Who belongs together."""

    def gateway_below(self, parent):
        """A gateway that another program than this one has started."""
        command = [*parent, *self.place.gateway(scripted("behaves"))]
        peer = Peer(command, self.place.environment(), self.place.workspace)
        self.addCleanup(peer.kill)
        peer.begin(FORMS)
        return peer

    def test_another_program_is_another_session(self):
        first = self.gateway_below([])
        first.choose("session-1")
        self.assertIn("noted", text_of(first.call("note", {"text": "x"})))
        second = self.gateway_below(["sh", "-c", '"$@"; exit', "sh"])
        second.answers["elicitation/create"] = {"action": "cancel"}
        self.assertTrue(second.call("note", {"text": "x"})["isError"])
        third = self.gateway_below([])
        self.assertIn("noted", text_of(third.call("note", {"text": "x"})))
        self.assertEqual(len(self.place.sessions()), 2)
        second.leave()

    def test_a_session_can_be_named(self):
        for parent in (["env", "PORTCULLIS_SESSION=one"], ["sh", "-c", 'PORTCULLIS_SESSION=one "$@"; exit', "sh"]):
            peer = self.gateway_below(parent)
            peer.choose("session-1")
            self.assertIn("noted", text_of(peer.call("note", {"text": "x"})))
            peer.leave()
        self.assertEqual(len(self.place.sessions()), 1)
        self.assertEqual(self.place.decisions(), ["ask", "permit", "permit"])

    def test_a_gateway_that_is_told_to_end_takes_its_server_along(self):
        peer = self.peer(scripted("stops-reading"))
        peer.begin(FORMS)
        peer.choose_for_gateway("session-1")
        children = Path(f"/proc/{peer.process.pid}/task/{peer.process.pid}/children").read_text().split()
        self.assertEqual(len(children), 1)
        peer.request("tools/call", {"name": "misbehave", "arguments": {"text": "x"}})
        peer.process.send_signal(signal.SIGTERM)
        self.assertNotEqual(peer.ended(), 0)
        try:
            # It may still be listed until somebody has asked how it ended.
            self.assertIn("\nState:\tZ", Path(f"/proc/{children[0]}/status").read_text())
        except FileNotFoundError:
            pass


if __name__ == "__main__":
    unittest.main()
