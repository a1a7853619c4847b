"""Each real server behind the gateway: it lists what it has, and nothing is called that nobody allowed."""

import asyncio
import unittest

from harness import FORMS, Case, text_of
from people import Person, host, said
from real_servers import sample


def whole_list(peer):
    """Every page of the server's tools."""
    tools, cursor = [], None
    while True:
        page = peer.ask("tools/list", {"cursor": cursor} if cursor else {})
        tools.extend(page["tools"])
        cursor = page.get("nextCursor")
        if cursor is None:
            return tools, {key: value for key, value in page.items() if key != "tools"}


class ServerCase:
    """What holds for every server."""

    name = None

    def setUp(self):
        super().setUp()
        self.sample = sample(self.name, self)

    def call_through(self, person, times):
        """Calls the tool so many times, and says what came of it and which era was spoken."""

        async def run():
            async with host(self.place, self.sample.command, person, self.sample.options) as client:
                results = [await client.call_tool(self.sample.tool, self.sample.arguments) for _ in range(times)]
                return client.protocol_version, [(result.is_error, said(result)) for result in results]

        era, results = asyncio.run(run())
        self.assertEqual(era, self.sample.era)
        return results

    def test_lists_what_the_server_lists(self):
        for stateless in (False, True) if self.sample.era == "2026-07-28" else (False,):
            lists = []
            for peer in (self.direct(self.sample.command), self.peer(self.sample.command, self.sample.options)):
                peer.stateless = stateless
                peer.capabilities = FORMS
                if not stateless:
                    peer.begin(FORMS)
                lists.append(whole_list(peer))
            self.assertEqual(*lists)
            self.assertIn(self.sample.tool, [tool["name"] for tool in lists[1][0]])

    def test_what_nobody_answers_is_refused(self):
        self.place.wait_briefly()
        peer = self.peer(self.sample.command, self.sample.options)
        peer.begin()
        peer.ask("tools/list")
        result = peer.call(self.sample.tool, self.sample.arguments)
        self.assertTrue(result["isError"])
        self.assertIn("needs the user's consent, and nobody has answered yet", text_of(result))
        self.assertEqual(self.place.decisions(), ["ask"])

    def test_what_is_allowed_once_is_asked_again_and_what_is_allowed_for_the_session_is_not(self):
        person = Person("once", "session-1")
        results = self.call_through(person, 4)
        self.assertEqual([failed for failed, _ in results], [False] * 4)
        self.assertIn(self.sample.gives, results[0][1])
        self.assertEqual(len(person.asked), 2)
        for asked in person.asked:
            self.assertTrue(asked.startswith("Portcullis asks. "), asked)
            self.assertIn(f"the server {self.name}, wants to call {self.sample.tool}", asked)
        self.assertEqual(self.place.decisions(), ["ask", "permit", "ask", "permit", "permit", "permit"])

    def test_never_is_never(self):
        person = Person("never")
        results = self.call_through(person, 2)
        self.assertEqual([failed for failed, _ in results], [True, True])
        self.assertIn("The user refused the call", results[0][1])
        self.assertIn("Portcullis refused the call", results[1][1])
        self.assertEqual(len(person.asked), 1)
        self.assertEqual(self.place.decisions(), ["ask", "deny"])


class Filesystem(ServerCase, Case):
    name = "filesystem"


class Git(ServerCase, Case):
    name = "git"


class Fetch(ServerCase, Case):
    name = "fetch"


class Memory(ServerCase, Case):
    name = "memory"


class Sqlite(ServerCase, Case):
    name = "sqlite"


class Everything(ServerCase, Case):
    name = "everything"


if __name__ == "__main__":
    unittest.main()
