"""That differences are found, without the suite and the gateway."""

import os
import unittest

os.environ.setdefault("CONFORMANCE_TOOLS", ".")

from compare import IN_FRONT, Named, compare, first_difference  # noqa: E402
from suite import Found  # noqa: E402


def check(status="SUCCESS", **details):
    return {"id": "tools-call", "name": "ToolsCall", "status": status, "details": details}


class Way:
    def __init__(self, *checks, reached=("tools/call test_simple_text",)):
        self.found = {"tools-call": Found(checks)}
        self.reached = list(reached)


def wrong(direct, other, differences=None):
    expected = {"scenarios": {"tools-call": direct.found["tools-call"].lines()}, "reached": direct.reached}
    return compare("server", {"direct": direct, "gateway": other}, expected, Named(differences or {}))[1]


class Comparing(unittest.TestCase):
    direct = Way(check(result={"content": [{"text": "a text"}], "requestState": "x"}))

    def test_the_same_is_the_same_whatever_is_different_each_time(self):
        again = Way(check(result={"content": [{"text": "a text"}], "requestState": "y"}), check("INFO"))
        self.assertEqual(wrong(self.direct, again), [])

    def test_an_outcome_that_differs_is_found(self):
        failed = Way(check("FAILURE", result={"content": [{"text": "a text"}]}))
        self.assertEqual(len(wrong(self.direct, failed)), 2)

    def test_a_pass_with_another_text_is_found(self):
        words = wrong(self.direct, Way(check(result={"content": [{"text": "the call was refused"}]})))
        self.assertEqual(len(words), 1)
        self.assertIn('what was seen[0].result.content[0].text is "the call was refused", and "a text" direct', words[0])

    def test_a_pass_without_a_call_is_found(self):
        unreached = Way(check(result={"content": [{"text": "a text"}]}), reached=())
        self.assertIn("has not reached the server: tools/call test_simple_text", wrong(self.direct, unreached)[0])

    def test_only_the_words_of_the_gateway_may_be_in_front_of_a_question(self):
        asked = Way(check(result={"message": "who are you?"}))
        self.assertEqual(wrong(asked, Way(check(result={"message": f"{IN_FRONT}who are you?"}))), [])
        self.assertEqual(len(wrong(asked, Way(check(result={"message": "Portcullis asks: who are you?"})))), 1)

    def test_what_is_named_may_differ(self):
        other = Way(check(result={"content": []}))
        self.assertEqual(wrong(self.direct, other, {"server tools-call": {"tools-call ToolsCall": "by design"}}), [])
        self.assertEqual(len(wrong(self.direct, other, {"server prompts-get": {"tools-call ToolsCall": "by design"}})), 1)

    def test_what_is_named_and_does_not_differ_is_found(self):
        named = Named({"server tools-call": {"tools-call": "by design"}, "server other": {"x": "gone"}})
        expected = {"scenarios": {"tools-call": self.direct.found["tools-call"].lines()}}
        compare("server", {"direct": self.direct, "gateway": Way(check("FAILURE"))}, expected, named)
        self.assertEqual(named.unfound(), ["server other: x is named as a difference, and is none"])

    def test_a_direct_run_that_differs_from_the_baseline_is_found(self):
        expected = {"scenarios": {"tools-call": ["tools-call ToolsCall: FAILURE"]}}
        self.assertEqual(len(compare("server", {"direct": self.direct}, expected, Named({}))[1]), 2)
        self.assertIn("not in the baseline", compare("server", {"direct": self.direct}, {}, Named({}))[1][0])

    def test_true_is_not_one_and_what_is_left_out_is_not_null(self):
        self.assertIsNotNone(first_difference({"a": 1}, {"a": True}))
        self.assertIsNotNone(first_difference({"a": None}, {}))


if __name__ == "__main__":
    unittest.main()
