"""`serve` as its users meet it: one server as it is, all as one, over HTTP and over the bridge, of both eras."""

import asyncio
import json
import signal
import unittest

from mcp.types import CreateMessageResult, TextContent

from harness import FORMS, PORTCULLIS, STATEFUL, STATELESS, Peer, scripted, text_of, until
from people import Person, said
from real_servers import filesystem, npx, sample
from serving import (
    EVERYTHING_OVER_HTTP,
    PYTHON_OVER_HTTP,
    ServeCase,
    Web,
    at_terminal,
    children,
    host_over_http,
    table,
)

TOKEN = "sk-live-9f8e7d6c5b4a39281706fedcba98"
EVERYTHING = npx("everything")


class One(ServeCase):
    """One server at an address of its own, as it is."""

    def test_nothing_is_renamed(self):
        self.named(table("busy", EVERYTHING))
        web = Web(self.serve(), "/servers/busy")
        capabilities = {**FORMS, "sampling": {}, "roots": {}}
        peer = self.direct(EVERYTHING)
        self.assertEqual(peer.begin(capabilities), web.begin(capabilities))
        for method in ("tools/list", "resources/list", "resources/templates/list", "prompts/list"):
            self.assertEqual(peer.ask(method), web.ask(method), method)

    def test_asked_and_allowed_in_the_era_with_sessions(self):
        path = self.place.write("notes.txt", "hello from a file")
        self.named(table("files", filesystem(self.place)))
        serve = self.serve()

        async def run(mode):
            person = Person("once", "refuse")
            async with host_over_http(serve, "/servers/files", person, mode) as client:
                self.assertEqual(client.protocol_version, STATEFUL)
                results = [await client.call_tool("read_text_file", {"path": path}) for _ in range(2)]
            return person.asked, [(result.is_error, said(result)) for result in results]

        for mode in ("auto", "legacy"):
            asked, results = asyncio.run(run(mode))
            self.assertIn("the server files, wants to call read_text_file", asked[0])
            self.assertEqual(results[0], (False, "hello from a file"))
            self.assertTrue(results[1][0])
            self.assertIn("The user refused the call", results[1][1])
        # Hosts that are gone have taken their servers along, but for the one that is asked about the newer era.
        until(lambda: len(children(serve.process.pid)) <= 1, "the end of the servers")

    def test_asked_and_allowed_in_the_era_without_sessions(self):
        git = sample("git", self)
        self.named(table("git", git.command))
        serve = self.serve()

        async def run(mode, person):
            async with host_over_http(serve, "/servers/git", person, mode) as client:
                self.assertEqual(client.protocol_version, STATELESS)
                result = await client.call_tool(git.tool, git.arguments)
            return bool(result.is_error), said(result)

        person = Person("once", "never")
        for mode in ("auto", STATELESS):
            failed, text = asyncio.run(run(mode, person))
            self.assertEqual(failed, len(person.asked) == 2)
        self.assertIn("The user refused the call", text)
        failed, text = asyncio.run(run("auto", person))
        self.assertIn("Portcullis refused the call", text)
        self.assertEqual(len(person.asked), 2)
        self.assertEqual(self.place.decisions(), ["ask", "permit", "ask", "deny"])

    def test_what_nobody_answers_is_refused(self):
        path = self.place.write("notes.txt", "hello from a file")
        self.named(table("files", filesystem(self.place)), wait=1)
        web = Web(self.serve(), "/servers/files")
        web.begin()
        result = web.call("read_text_file", {"path": path})
        self.assertTrue(result["isError"])
        self.assertIn("needs the user's consent, and nobody has answered yet", text_of(result))

    def test_what_a_server_can_do_besides(self):
        self.named(table("busy", EVERYTHING))
        serve = self.serve()
        person = Person(*["session-1"] * 6, to_servers={"name": "Ada"})
        told = []

        async def sampled_here(context, params):
            text = TextContent(type="text", text="a sampled answer")
            return CreateMessageResult(role="assistant", content=text, model="none")

        async def progress(done, total, message):
            told.append((done, total))

        async def run():
            async with host_over_http(serve, "/servers/busy", person, sampling_callback=sampled_here) as client:
                read = await client.read_resource("demo://resource/dynamic/text/1")
                prompt = await client.get_prompt("simple-prompt")
                long = {"duration": 0.2, "steps": 2}
                await client.call_tool("trigger-long-running-operation", long, progress_callback=progress)
                sampled = await client.call_tool("trigger-sampling-request", {"prompt": "hi", "maxTokens": 5})
                elicited = await client.call_tool("trigger-elicitation-request", {})
                return read.contents[0].text, prompt.messages[0].content.text, said(sampled), said(elicited)

        read, prompt, sampled, elicited = asyncio.run(run())
        self.assertIn("Resource 1", read)
        self.assertIn("simple prompt", prompt)
        self.assertIn("a sampled answer", sampled)
        self.assertIn("Ada", elicited)
        self.assertEqual(told, [(1, 2), (2, 2)])
        of_servers = [asked for asked in person.asked if not asked.startswith("Portcullis asks. ")]
        self.assertEqual(len(of_servers), 1)
        self.assertTrue(of_servers[0].startswith("The server busy asks (this is not Portcullis): "), of_servers)

    def test_a_list_that_changes_is_told(self):
        self.named(table("one", scripted("changes")))
        web = Web(self.serve(), "/servers/one")
        web.begin(FORMS)
        web.choose("session-1")
        self.assertEqual(len(web.ask("tools/list")["tools"]), 2)
        listener = self.listener(web.knock("GET"), web)
        web.call("misbehave", {"text": "x"})
        self.assertTrue(listener.wait(lambda m: m.get("method") == "notifications/tools/list_changed"))
        self.assertEqual([tool["name"] for tool in web.ask("tools/list")["tools"]], ["note", "misbehave", "more"])
        self.assertIn("noted y", text_of(web.call("more", {"text": "y"})))

    def test_invariants_deny_and_say_why(self):
        path = self.place.write("notes.txt", "hello from a file")
        self.place.settings(
            f'invariants = ["Never read files from {self.place.workspace}."]\n' + table("files", filesystem(self.place))
        )
        web = Web(self.serve(), "/servers/files")
        web.begin(FORMS)
        web.choose("once")
        result = web.call("read_text_file", {"path": path})
        self.assertTrue(result["isError"])
        self.assertIn("Never read files from", text_of(result))


class All(ServeCase):
    """All servers as one."""

    def setUp(self):
        super().setUp()
        self.secret_file = self.place.write(".env", f"API_KEY={TOKEN}\n")
        self.named(
            table("files", filesystem(self.place)),
            table("memory", npx("memory"), **{"pass": ["MEMORY_FILE_PATH"]}),
            table("one", scripted("behaves")),
        )
        self.serves = self.serve()
        self.entity = {"name": "key", "entityType": "note", "observations": [f"it is {TOKEN}"]}

    def test_names_say_which_server_is_meant(self):
        web = Web(self.serves)
        web.begin(FORMS)
        web.choose("session-1")
        names = [tool["name"] for tool in web.ask("tools/list")["tools"]]
        self.assertLess({"files__read_text_file", "memory__create_entities", "one__note"}, set(names))
        self.assertTrue(all(name.partition("__")[0] in ("files", "memory", "one") for name in names))
        self.assertEqual(text_of(web.call("one__note", {"text": "x"})), "noted x")
        path = self.place.write("notes.txt", "hello from a file")
        self.assertEqual(text_of(web.call("files__read_text_file", {"path": path})), "hello from a file")
        for name in ("read_text_file", "two__note", "one__nothing", "one__", "__note", "files__note"):
            result = web.call(name, {"text": "x"})
            self.assertTrue(result.get("isError") or "code" in result, (name, result))

    def test_what_was_read_through_one_is_known_to_all(self):
        async def run():
            person = Person("once", "refuse")
            async with host_over_http(self.serves, "/mcp", person) as client:
                read = await client.call_tool("files__read_text_file", {"path": self.secret_file})
                kept = await client.call_tool("memory__create_entities", {"entities": [self.entity]})
            return person.asked, said(read), kept.is_error

        asked, read, failed = asyncio.run(run())
        self.assertIn(TOKEN, read)
        self.assertTrue(failed)
        self.assertEqual(len(asked), 2)
        self.assertIn(f"text of {self.secret_file}, read in step 1", asked[1])
        self.assertFalse((self.place.root / "memory.jsonl").exists())
        self.assertEqual(len(self.place.sessions()), 1)

    def test_addresses_of_one_host_share_a_session(self):
        files, memory = Web(self.serves, "/servers/files"), Web(self.serves, "/mcp")
        for web in (files, memory):
            web.begin(FORMS)
        files.choose("once")
        files.call("read_text_file", {"path": self.secret_file})
        memory.choose("refuse")
        result = memory.call("memory__create_entities", {"entities": [self.entity]})
        self.assertIn("The user refused the call", text_of(result))
        asked = [m["params"]["message"] for m in memory.seen if m.get("method") == "elicitation/create"]
        self.assertIn(f"text of {self.secret_file}, read in step 1", asked[0])
        self.assertEqual(len(self.place.sessions()), 1)
        listed = self.place.command("audit", "list").stdout
        self.assertIn("read_text_file", listed)
        self.assertIn("create_entities", listed)

    def test_a_session_that_the_user_ends_is_over(self):
        web = Web(self.serves)
        web.begin(FORMS)
        web.choose("session-1")
        self.assertEqual(text_of(web.call("one__note", {"text": "x"})), "noted x")
        [session] = self.place.sessions()
        shown, status = at_terminal(self.place, ["sessions", "end", session], [("Type yes:", "yes\n")])
        self.assertEqual(status, 0, shown)
        # What was allowed in it is over, too.
        web.choose("refuse")
        self.assertIn("The user refused the call", text_of(web.call("one__note", {"text": "x"})))


class AllWithoutSessions(ServeCase):
    def test_all_servers_of_the_newer_era(self):
        self.named(table("one", scripted("behaves")), table("two", scripted("behaves")))
        serve = self.serve()

        async def run():
            person = Person("session-1", "once")
            async with host_over_http(serve, "/mcp", person, STATELESS) as client:
                names = [tool.name for tool in (await client.list_tools()).tools]
                results = [said(await client.call_tool(name, {"text": name})) for name in ("one__note", "two__note")]
            return names, results

        names, results = asyncio.run(run())
        self.assertEqual(sorted(names), ["one__misbehave", "one__note", "two__misbehave", "two__note"])
        self.assertEqual(results, ["noted one__note", "noted two__note"])

    def test_a_server_of_old_makes_the_host_begin_with_a_handshake(self):
        self.named(table("one", scripted("behaves")), table("memory", npx("memory")))
        serve = self.serve()
        web = Web(serve)
        web.stateless = True
        self.assertIn("begin with `initialize`", json.dumps(web.ask("server/discover")))

        async def run():
            async with host_over_http(serve, "/mcp", Person()) as client:
                return client.protocol_version, len((await client.list_tools()).tools)

        era, count = asyncio.run(run())
        self.assertEqual(era, STATEFUL)
        self.assertGreater(count, 2)


class Bridge(ServeCase):
    """`portcullis connect`."""

    def setUp(self):
        super().setUp()
        self.record = self.place.root / "record"
        self.named(table("one", scripted("behaves", self.record)), table("two", scripted("behaves")))

    def test_all_servers_and_one(self):
        self.serve()
        for words, tool in (((), "one__note"), (("one",), "note")):
            peer = self.bridge(*words)
            peer.begin(FORMS)
            self.assertIn(tool, [listed["name"] for listed in peer.ask("tools/list")["tools"]])
            peer.choose("once")
            self.assertIn("noted x", text_of(peer.call(tool, {"text": "x"})))
            self.assertEqual(peer.leave(), 0)

    def test_the_newer_era(self):
        self.serve()
        peer = self.bridge("one")
        peer.stateless, peer.capabilities = True, FORMS
        call = {"name": "note", "arguments": {"text": "x"}}
        asked = peer.ask("tools/call", call)
        given = {"portcullis": {"action": "accept", "content": {"answer": "once"}}}
        again = {**call, "inputResponses": given, "requestState": asked["requestState"]}
        self.assertIn("noted x", text_of(peer.ask("tools/call", again)))

    def test_bridges_of_one_host_share_a_session_and_those_of_others_do_not(self):
        self.serve()
        before = len(self.place.sessions())
        first, second = self.bridge("one"), self.bridge("two")
        for peer in (first, second):
            peer.begin(FORMS)
            peer.choose("session-1")
            self.assertIn("noted x", text_of(peer.call("note", {"text": "x"})))
        self.assertEqual(len(self.place.sessions()), before + 1)
        command = ["sh", "-c", '"$@"; exit', "sh", PORTCULLIS, "connect", "one", "--workspace", str(self.place.workspace)]
        other = Peer(command, self.place.environment(), self.place.workspace)
        self.addCleanup(other.kill)
        other.begin(FORMS)
        other.choose("refuse")
        self.assertTrue(other.call("note", {"text": "x"})["isError"])
        self.assertEqual(len(self.place.sessions()), before + 2)
        other.leave()

    def test_a_bridge_lives_on_when_serve_is_started_again(self):
        for signalled in (signal.SIGTERM, signal.SIGKILL):
            with self.subTest(signalled):
                serve = self.serve()
                peer = self.bridge("one")
                peer.begin(FORMS)
                peer.choose("session-1")
                self.assertIn("noted before", text_of(peer.call("note", {"text": "before"})))
                serve.process.send_signal(signalled)
                serve.ended()
                again = self.serve(listen=serve.address)
                until(lambda: "noted" in text_of(peer.call("note", {"text": "after"})), peer.notes)
                self.assertIsNone(peer.process.poll())
                self.assertEqual(peer.leave(), 0)
                self.assertEqual(again.end(), 0)

    def test_a_bridge_lives_on_while_there_is_no_serve(self):
        serve = self.serve()
        peer = self.bridge("one")
        peer.begin(FORMS)
        peer.choose("session-1")
        peer.call("note", {"text": "before"})
        serve.end()
        for _ in range(3):
            failure = peer.call("note", {"text": "meanwhile"})
            self.assertIn("code", failure)
        self.assertIsNone(peer.process.poll())
        self.serve(listen=serve.address)
        until(lambda: "noted" in text_of(peer.call("note", {"text": "after"})), peer.notes)
        noted = [json.loads(line)["text"] for line in self.record.read_text().splitlines()]
        self.assertNotIn("meanwhile", noted)

    def test_without_serve_it_says_so(self):
        ended = self.place.command("connect", check=False)
        self.assertEqual(ended.returncode, 2)
        self.assertIn("no `portcullis serve` runs; start it in another terminal", ended.stderr)
        self.assertEqual(ended.stdout, "")
        # Neither does one count that was killed.
        self.serve().kill()
        self.assertEqual(self.place.command("connect", check=False).returncode, 2)

    def test_what_is_said_at_once_is_answered_before_it_leaves(self):
        self.serve()
        peer = self.bridge("one")
        first = peer.request("initialize", {"protocolVersion": STATEFUL, "capabilities": {}, "clientInfo": {
            "name": "x", "version": "1"}})
        peer.notify("notifications/initialized")
        second = peer.request("tools/list")
        self.assertEqual(peer.leave(), 0)
        self.assertIn("result", peer.answer_to(first))
        self.assertIn("result", peer.answer_to(second))

    def test_a_server_that_is_not_there(self):
        self.serve()
        peer = self.bridge("none")
        failure = peer.ask("initialize", {"protocolVersion": STATEFUL, "capabilities": {}, "clientInfo": {
            "name": "x", "version": "1"}})
        self.assertIn("there is no server at this address", json.dumps(failure))

    def test_the_token_goes_nowhere_else(self):
        for url in ("http://192.0.2.1:4877", "https://serve.example", "http://127.0.0.1.serve.example:4877"):
            ended = self.place.command("connect", "--url", url, check=False)
            self.assertEqual(ended.returncode, 2)
            self.assertIn("the token is not sent elsewhere", ended.stderr)


class Remote(ServeCase):
    """Servers that are reached over HTTP, through `serve` and through `run --url`."""

    def run_at(self, url, *options):
        command = [PORTCULLIS, "run", "--workspace", str(self.place.workspace), "--url", url, *options]
        peer = Peer(command, self.place.environment(), self.place.workspace)
        self.addCleanup(peer.kill)
        return peer

    def test_everything_through_run(self):
        upstream = self.upstream(EVERYTHING_OVER_HTTP)
        peer = self.run_at(upstream.url())
        peer.begin({**FORMS, "sampling": {}})
        given = {"action": "accept", "content": {"name": "Ada", "answer": "session-1"}}
        peer.answers["elicitation/create"] = given
        sampled = {"role": "assistant", "content": {"type": "text", "text": "a sampled answer"}, "model": "none"}
        peer.answers["sampling/createMessage"] = sampled
        self.assertIn("Echo: hi", text_of(peer.call("echo", {"message": "hi"})))
        self.assertIn("a sampled answer", text_of(peer.call("trigger-sampling-request", {"prompt": "p", "maxTokens": 5})))
        self.assertIn("Ada", text_of(peer.call("trigger-elicitation-request")))
        params = {"name": "trigger-long-running-operation", "arguments": {"duration": 0.2, "steps": 2}}
        peer.ask("tools/call", {**params, "_meta": {"progressToken": "t"}})
        told = [m["params"]["progress"] for m in peer.seen if m.get("method") == "notifications/progress"]
        self.assertEqual(told, [1, 2])
        self.assertEqual(peer.leave(), 0)

    def test_both_eras_through_serve(self):
        upstream = self.upstream(PYTHON_OVER_HTTP)
        self.named(table("far", url=upstream.url()), table("near", scripted("behaves")))
        serve = self.serve()
        told = []

        async def progress(done, total, message):
            told.append((done, total))

        async def run(path, mode, prefix):
            person = Person("once", "once")
            async with host_over_http(serve, path, person, mode) as client:
                noted = said(await client.call_tool(prefix + "note", {"text": "x"}))
                counted = said(await client.call_tool(prefix + "count", {"steps": 2}, progress_callback=progress))
                return client.protocol_version, noted, counted, len(person.asked)

        for path, mode, prefix, era in (
            ("/servers/far", "legacy", "", STATEFUL),
            ("/servers/far", "auto", "", STATELESS),
            ("/mcp", "legacy", "far__", STATEFUL),
            ("/mcp", STATELESS, "far__", STATELESS),
        ):
            with self.subTest(path=path, mode=mode):
                told.clear()
                self.assertEqual(asyncio.run(run(path, mode, prefix)), (era, "noted x", "counted to 2", 2))
                self.assertEqual(told, [(1, 2), (2, 2)])

    def test_both_eras_through_run(self):
        upstream = self.upstream(PYTHON_OVER_HTTP)
        for stateless in (False, True):
            peer = self.run_at(upstream.url(), "--name", "far")
            call = {"name": "note", "arguments": {"text": "x"}}
            if stateless:
                peer.stateless, peer.capabilities = True, FORMS
                asked = peer.ask("tools/call", call)
                given = {"portcullis": {"action": "accept", "content": {"answer": "once"}}}
                call |= {"inputResponses": given, "requestState": asked["requestState"]}
            else:
                peer.begin(FORMS)
                peer.choose("once")
            self.assertIn("noted x", text_of(peer.ask("tools/call", call)))
            self.assertEqual(peer.leave(), 0)

    def test_what_is_said_at_once_is_answered_before_run_leaves(self):
        peer = self.run_at(self.upstream(PYTHON_OVER_HTTP).url())
        first = peer.request("initialize", {"protocolVersion": STATEFUL, "capabilities": {}, "clientInfo": {
            "name": "x", "version": "1"}})
        self.assertEqual(peer.leave(), 0)
        self.assertIn("result", peer.answer_to(first))

    def dies_and_returns(self, upstream, tool, arguments, gives):
        self.named(table("far", url=upstream.url()), table("near", scripted("behaves")))
        web = Web(self.serve())
        web.begin(FORMS)
        web.choose("session-1")
        self.assertIn(gives, text_of(web.call(f"far__{tool}", arguments)))
        upstream.kill()
        failure = web.call(f"far__{tool}", arguments)
        self.assertTrue(failure.get("isError") or "code" in failure, failure)
        self.assertIn("noted x", text_of(web.call("near__note", {"text": "x"})))
        upstream.start()
        until(lambda: gives in text_of(web.call(f"far__{tool}", arguments)), lambda: web.serve.notes[-10:])

    def test_one_that_dies_and_returns(self):
        self.dies_and_returns(self.upstream(PYTHON_OVER_HTTP), "note", {"text": "x"}, "noted x")

    def test_everything_dies_and_returns(self):
        self.dies_and_returns(self.upstream(EVERYTHING_OVER_HTTP), "echo", {"message": "hi"}, "Echo: hi")

    def test_one_that_wants_to_know_who_asks(self):
        upstream = self.upstream(["env", "TOKEN=abc", *PYTHON_OVER_HTTP])
        peer = self.run_at(upstream.url())
        failure = peer.ask("initialize", {"protocolVersion": STATEFUL, "capabilities": {}, "clientInfo": {
            "name": "x", "version": "1"}})
        self.assertIn("does not let us in (status 401)", failure["message"])
        self.assertIn(f"portcullis login {upstream.url()}", failure["message"])
        # The token stands in the environment, and nowhere else.
        self.named(table("far", url=upstream.url(), headers={"Authorization": "Bearer ${FAR_TOKEN}"}))
        serve = self.serve(environment={"FAR_TOKEN": "abc"})
        web = Web(serve, "/servers/far")
        web.begin(FORMS)
        web.choose("once")
        self.assertIn("noted x", text_of(web.call("note", {"text": "x"})))
        ended = self.place.command("serve", "--listen", "127.0.0.1:0", check=False)
        self.assertEqual(ended.returncode, 2)
        self.assertIn("the variable `FAR_TOKEN` is not set", ended.stderr)
        self.named(table("far", url=upstream.url()))
        web = Web(self.serve(), "/servers/far")
        with self.assertRaisesRegex(AssertionError, "does not let us in"):
            web.begin(FORMS)

    def test_one_that_is_not_there(self):
        self.named(table("far", url="http://127.0.0.1:9/mcp"), table("near", scripted("behaves")))
        serve = self.serve()
        web = Web(serve)
        web.begin(FORMS)
        web.choose("session-1")
        self.assertIn("noted x", text_of(web.call("near__note", {"text": "x"})))
        alone = Web(serve, "/servers/far")
        with self.assertRaisesRegex(AssertionError, "cannot be reached"):
            alone.begin(FORMS)


class Settings(ServeCase):
    """What is wrong with settings is said at once."""

    def test_settings_that_cannot_be_used(self):
        for text, told in (
            ("", "names no servers"),
            ("[servers.a]\n", "either a `command` or a `url`"),
            ("[servers.a_b]\ncommand = ['x']\n", "a name has letters, digits and `-` only"),
            ("[servers.a]\nurl = 'ftp://x.example'\n", "`a`"),
            ("[servers.a]\ncommand = ['x']\nheaders = { A = 'b' }\n", "`headers` belongs to a server with a `url`"),
            ("[servers.a]\ncomand = ['x']\n", "comand"),
        ):
            self.place.settings(text)
            ended = self.place.command("serve", "--listen", "127.0.0.1:0", check=False)
            self.assertEqual(ended.returncode, 2, text)
            self.assertIn(told, ended.stderr)

    def test_an_address_that_is_taken(self):
        self.named(table("one", scripted("behaves")))
        serve = self.serve()
        ended = self.place.command("serve", "--listen", serve.address, check=False)
        self.assertEqual(ended.returncode, 2)
        self.assertIn(f"cannot listen on `{serve.address}`", ended.stderr)
        # The one that runs is still found.
        peer = self.bridge("one")
        peer.begin(FORMS)

    def test_one_of_two_is_found_when_the_other_has_ended(self):
        self.named(table("one", scripted("behaves")))
        self.serve()
        self.assertEqual(self.serve().end(), 0)
        peer = self.bridge("one")
        peer.begin(FORMS)

    def test_a_token_is_always_the_same(self):
        self.named(table("one", scripted("behaves")))
        serve = self.serve()
        token = serve.token()
        self.assertRegex(token, "^[0-9a-f]{64}$")
        serve.end()
        self.assertEqual(self.serve().token(), token)
        # It stands in no file, and what it is made from is for nobody else.
        for path in self.place.state.iterdir():
            self.assertNotIn(token.encode(), path.read_bytes(), path)
        self.assertEqual((self.place.state / "key").stat().st_mode & 0o077, 0)


if __name__ == "__main__":
    unittest.main()
