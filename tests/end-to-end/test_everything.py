"""What a server can do besides tools, in both directions: resources, prompts, questions, sampling, roots, progress, logs."""

import asyncio
import json
import unittest

from mcp.types import CreateMessageResult, ListRootsResult, Root, TextContent

from harness import FORMS, STATEFUL, Case, scripted, text_of
from people import Person, host, said
from real_servers import npx

EVERYTHING = npx("everything")


class Everything(Case):
    def begin(self, capabilities):
        peer = self.peer(EVERYTHING)
        peer.begin(capabilities)
        peer.choose("session-1")
        return peer

    def test_what_is_listed_besides_tools_is_what_the_server_lists(self):
        capabilities = {"elicitation": {}, "sampling": {}, "roots": {}}
        direct, guarded = self.direct(EVERYTHING), self.peer(EVERYTHING)
        self.assertEqual(direct.begin(capabilities), guarded.begin(capabilities))
        for method in ("tools/list", "resources/list", "resources/templates/list", "prompts/list"):
            self.assertEqual(direct.ask(method), guarded.ask(method), method)

    def test_resources_and_prompts_are_asked_about_too(self):
        peer = self.begin(FORMS)
        read = peer.ask("resources/read", {"uri": "demo://resource/dynamic/text/1"})
        self.assertIn("Resource 1", read["contents"][0]["text"])
        prompt = peer.ask("prompts/get", {"name": "simple-prompt"})
        self.assertIn("simple prompt", prompt["messages"][0]["content"]["text"])
        self.assertEqual(self.place.decisions("resources/read"), ["ask", "permit"])
        self.assertEqual(self.place.decisions("prompts/get")[-1], "permit")
        subscribed = peer.ask("resources/subscribe", {"uri": "demo://resource/dynamic/text/1"})
        self.assertEqual(subscribed, {})

    def test_a_resource_that_nobody_allows_is_not_read(self):
        self.place.wait_briefly()
        peer = self.peer(EVERYTHING)
        peer.begin()
        for method, params in (
            ("resources/read", {"uri": "demo://resource/dynamic/text/1"}),
            ("prompts/get", {"name": "simple-prompt"}),
            ("resources/subscribe", {"uri": "demo://resource/dynamic/text/1"}),
        ):
            self.assertEqual(peer.ask(method, params).get("code"), -32003, method)

    def test_progress_and_completions_pass(self):
        peer = self.begin(FORMS)
        arguments = {"duration": 0.2, "steps": 2}
        params = {"name": "trigger-long-running-operation", "arguments": arguments, "_meta": {"progressToken": "t"}}
        peer.ask("tools/call", params)
        told = [m["params"] for m in peer.seen if m.get("method") == "notifications/progress"]
        self.assertEqual([(t["progressToken"], t["progress"], t["total"]) for t in told], [("t", 1, 2), ("t", 2, 2)])
        argument = {"name": "department", "value": "E"}
        reference = {"type": "ref/prompt", "name": "completable-prompt"}
        completed = peer.ask("completion/complete", {"ref": reference, "argument": argument})
        self.assertEqual(completed["completion"]["values"], ["Engineering"])

    def test_what_the_server_asks_of_the_host(self):
        person = Person("session-1", "session-1", "session-1", to_servers={"name": "Ada"})
        logged = []

        async def sample(context, params):
            text = TextContent(type="text", text="a sampled answer")
            return CreateMessageResult(role="assistant", content=text, model="none")

        async def roots(context):
            return ListRootsResult(roots=[Root(uri="file:///home/somebody/project")])

        async def log(params):
            logged.append(params.data)

        async def run():
            callbacks = {"sampling_callback": sample, "list_roots_callback": roots, "logging_callback": log}
            async with host(self.place, EVERYTHING, person, **callbacks) as client:
                self.assertEqual(client.protocol_version, STATEFUL)
                names = [tool.name for tool in (await client.list_tools()).tools]
                results = []
                for name, arguments in (
                    ("get-roots-list", {}),
                    ("trigger-sampling-request", {"prompt": "hi", "maxTokens": 5}),
                    ("trigger-elicitation-request", {}),
                ):
                    # They are only listed for hosts that can do it, so the server was told what this one can do.
                    self.assertIn(name, names)
                    results.append(said(await client.call_tool(name, arguments)))
                return results

        roots_list, sampled, elicited = asyncio.run(run())
        self.assertIn("file:///home/somebody/project", roots_list)
        self.assertIn("a sampled answer", sampled)
        self.assertIn("Ada", elicited)
        of_servers = [asked for asked in person.asked if not asked.startswith("Portcullis asks. ")]
        self.assertEqual(len(of_servers), 1)
        self.assertTrue(of_servers[0].startswith("The server everything asks (this is not Portcullis): "), of_servers)
        self.assertTrue(any("Roots updated" in str(data) for data in logged), logged)

    def test_a_host_that_leaves_takes_the_server_along(self):
        # With its logging on, this server does not end by itself when its input does.
        peer = self.begin(FORMS)
        peer.call("toggle-simulated-logging")
        self.assertEqual(peer.leave(), 0)


class Requests(Case):
    """The same with a server that asks what the test tells it to ask."""

    def test_requests_of_the_server_reach_the_host_and_their_answers_the_server(self):
        peer = self.peer(scripted("requests"), ["--name", "asker"])
        peer.begin({"elicitation": {}, "sampling": {}, "roots": {}})
        peer.choose("session-1")
        peer.answers["roots/list"] = {"roots": []}
        peer.answers["ping"] = {}
        for wanted, expected in (
            ({"method": "roots/list"}, {"roots": []}),
            ({"method": "ping"}, {}),
        ):
            result = peer.call("misbehave", {"text": json.dumps(wanted)})
            self.assertEqual(json.loads(text_of(result)), expected)

    def test_what_is_no_request_of_a_server_is_refused(self):
        peer = self.peer(scripted("requests"))
        peer.begin(FORMS)
        peer.choose("session-1")
        result = peer.call("misbehave", {"text": json.dumps({"method": "tools/call", "params": {"name": "x"}})})
        self.assertEqual(json.loads(text_of(result))["code"], -32601)
        self.assertFalse(any(m.get("method") == "tools/call" for m in peer.seen))

    def test_a_call_that_is_cancelled_is_cancelled_at_the_server(self):
        peer = self.peer(scripted("slow"))
        peer.begin(FORMS)
        peer.choose("session-1")
        params = {"name": "misbehave", "arguments": {"text": "x"}, "_meta": {"progressToken": 7}}
        identity = peer.request("tools/call", params)
        peer.wait(lambda m: m.get("method") == "notifications/progress" and m["params"]["progressToken"] == 7)
        peer.notify("notifications/cancelled", {"requestId": identity, "reason": "enough"})
        told = peer.wait(lambda m: m.get("method") == "notifications/message")
        self.assertEqual(told["params"]["data"], {"cancelled": identity})
        self.assertIn("noted x", text_of(peer.call("note", {"text": "x"})))

    def test_a_call_that_is_cancelled_while_it_is_asked_about_is_never_made(self):
        record = self.place.root / "record"
        peer = self.peer(scripted("behaves", record))
        peer.begin(FORMS)
        identity = peer.request("tools/call", {"name": "note", "arguments": {"text": "x"}})
        question = peer.wait(lambda m: m.get("method") == "elicitation/create")
        peer.notify("notifications/cancelled", {"requestId": identity})
        peer.send({"id": question["id"], "result": {"action": "accept", "content": {"answer": "once"}}})
        # What comes after has been treated after.
        peer.ask("tools/list")
        self.assertFalse(record.exists())
        self.assertFalse(any(m.get("id") == identity and "method" not in m for m in peer.seen))


if __name__ == "__main__":
    unittest.main()
