"""What was read where goes nowhere else unasked, whichever servers it passes through."""

import asyncio
import unittest

from harness import Case
from people import Person, host, said
from real_servers import PASS_MEMORY, fetch, filesystem, npx, serve_page, sqlite

TOKEN = "sk-live-9f8e7d6c5b4a39281706fedcba98"


class Secrets(Case):
    def setUp(self):
        super().setUp()
        self.secret_file = self.place.write(".env", f"API_KEY={TOKEN}\n")

    async def read_secret(self):
        """Reads the file through one server, which the user allows."""
        person = Person("once")
        async with host(self.place, filesystem(self.place), person) as files:
            result = await files.call_tool("read_text_file", {"path": self.secret_file})
        self.assertIn(TOKEN, said(result))
        self.assertIn("carrying secret data", person.asked[0])

    def carried_elsewhere(self, server, tool, arguments, options=()):
        """Takes the secret elsewhere, and returns what the user was asked then."""

        async def run():
            await self.read_secret()
            person = Person("refuse")
            async with host(self.place, server, person, options) as other:
                result = await other.call_tool(tool, arguments)
            self.assertTrue(result.is_error)
            self.assertIn("The user refused the call", said(result))
            return person.asked

        asked = asyncio.run(run())
        self.assertEqual(len(asked), 1)
        # The two gateways were started by one program in one folder, so they belong to one session.
        self.assertEqual(len(self.place.sessions()), 1)
        return asked[0]

    def test_sent_in_an_address(self):
        address, visited = serve_page(self)
        asked = self.carried_elsewhere(fetch(), "fetch", {"url": f"{address}/?key={TOKEN}"})
        self.assertIn("secret", asked)
        self.assertIn(f"text of {self.secret_file}, read in step 1", asked)
        self.assertEqual(visited, [])

    def test_kept_in_a_memory(self):
        entity = {"name": "key", "entityType": "note", "observations": [f"it is {TOKEN}"]}
        asked = self.carried_elsewhere(npx("memory"), "create_entities", {"entities": [entity]}, PASS_MEMORY)
        self.assertIn("secret", asked)
        self.assertIn(f"text of {self.secret_file}, read in step 1", asked)
        self.assertFalse((self.place.root / "memory.jsonl").exists())

    def test_written_into_a_database(self):
        query = {"query": f"INSERT INTO notes VALUES ('{TOKEN}')"}
        asked = self.carried_elsewhere(sqlite(self.place), "write_query", query)
        self.assertIn("secret", asked)
        self.assertIn(f"text of {self.secret_file}, read in step 1", asked)

    def test_two_servers_at_the_same_time(self):
        address, visited = serve_page(self)

        async def run():
            person = Person("once", "session-2", "refuse")
            async with (
                host(self.place, filesystem(self.place), person) as files,
                host(self.place, fetch(), person) as pages,
            ):
                await files.list_tools()
                before = await pages.call_tool("fetch", {"url": f"{address}/before"})
                await files.call_tool("read_text_file", {"path": self.secret_file})
                after = await pages.call_tool("fetch", {"url": f"{address}/{TOKEN}"})
            return person.asked, said(before), after.is_error

        asked, before, failed = asyncio.run(run())
        self.assertIn("The quick brown fox", before)
        self.assertTrue(failed)
        self.assertEqual(len(asked), 3)
        self.assertIn(f"text of {self.secret_file}", asked[2])
        self.assertEqual(visited, ["/before"])
        self.assertEqual(len(self.place.sessions()), 1)


class Guards(Case):
    """What guards the agent is out of its reach."""

    def test_files_that_say_which_servers_run(self):
        async def run():
            person = Person("session-3")
            async with host(self.place, filesystem(self.place), person) as files:
                first = self.place.workspace / "plain.txt"
                plain = await files.call_tool("write_file", {"path": str(first), "content": "plain"})
                self.assertFalse(plain.is_error, said(plain))
                refused = []
                for name in (".mcp.json", ".vscode/mcp.json", ".portcullis/portcullis.toml"):
                    path = self.place.workspace / name
                    path.parent.mkdir(exist_ok=True)
                    arguments = {"path": str(path), "content": "{}"}
                    refused.append((path, await files.call_tool("write_file", arguments)))
                moved = {"source": str(first), "destination": str(self.place.workspace / ".mcp.json")}
                refused.append((self.place.workspace / ".mcp.json", await files.call_tool("move_file", moved)))
            return person.asked, refused

        asked, refused = asyncio.run(run())
        # The user allowed to write everything in the workspace, and that does not count for these.
        self.assertEqual(len(asked), 1)
        for path, result in refused:
            self.assertTrue(result.is_error, path)
            self.assertIn("which guards the agent", said(result))
            self.assertFalse(path.exists(), path)


if __name__ == "__main__":
    unittest.main()
