"""Real hosts without a person: the model that the test plays calls tools, and reads what became of it."""

import json
import os
import subprocess
import unittest

from harness import FORMS, PORTCULLIS, TOOLS, Case, text_of
from models import Contents, Messages, Responses
from real_servers import filesystem
from serving import ServeCase, table

HOSTS = TOOLS / "hosts" / "node_modules" / ".bin"


class HostCase:
    """What holds for every host: one call that a rule permits, one that nobody answers for, and one that is denied."""

    def setUp(self):
        super().setUp()
        self.readable = self.place.write("notes.txt", "hello from a file")
        self.allow_reading()

    def allow_reading(self):
        """The user has said at some other time that this file may always be read."""
        peer = self.peer(filesystem(self.place))
        peer.begin(FORMS)
        peer.choose("always-1")
        self.assertIn("hello", text_of(peer.call("read_text_file", {"path": self.readable})))
        self.assertEqual(peer.leave(), 0)
        self.before = len(self.place.decisions())

    def server(self):
        command = self.place.gateway(filesystem(self.place))
        return {"type": "stdio", "command": command[0], "args": command[1:], "env": self.place.environment()}

    def calls(self, name):
        work = self.place.workspace
        return [
            (name("read_text_file"), {"path": self.readable}),
            (name("write_file"), {"path": str(work / "new.txt"), "content": "new"}),
            (name("write_file"), {"path": str(work / ".mcp.json"), "content": "{}"}),
        ]

    def run_host(self, command, environment):
        environment = {**self.place.environment(), **environment, "NO_COLOR": "1"}
        done = subprocess.run(
            command,
            env=environment,
            cwd=self.place.workspace,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=240,
        )
        return done.stdout + done.stderr

    def check(self, model, output):
        self.assertEqual(len(model.results), 3, f"{output}\n{sorted(filter(None, model.offered))}\n{model.results}")
        read, asked, denied = model.results
        self.assertIn("hello from a file", read)
        self.assertRegex(asked, "needs the user's consent, and nobody has answered yet|The user refused the call")
        self.assertIn("Portcullis refused the call of write_file", denied)
        self.assertIn("which guards the agent", denied)
        self.assertEqual(self.place.decisions()[self.before:], ["permit", "ask", "deny"])
        self.assertEqual(sorted(os.listdir(self.place.workspace)), sorted(self.left))

    left = ["notes.txt"]


class ClaudeCode(HostCase, Case):
    def run_claude(self, model, *words):
        config = self.place.root / "servers.json"
        config.write_text(json.dumps({"mcpServers": {"files": self.server()}}))
        tools = ",".join(sorted({name for name, _ in model.calls}))
        command = [HOSTS / "claude", "-p", "go", "--mcp-config", config, "--strict-mcp-config", "--allowedTools", tools]
        environment = {
            "ANTHROPIC_BASE_URL": model.address,
            "ANTHROPIC_API_KEY": "none",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            # All tools are shown to the model at once, and not only when it looks for them.
            "ENABLE_TOOL_SEARCH": "false",
        }
        return self.run_host([*map(str, command), *words], environment)

    def test_claude_code(self):
        model = Messages(self, self.calls(lambda tool: f"mcp__files__{tool}"))
        self.check(model, self.run_claude(model))

    def test_claude_code_with_somebody_who_answers(self):
        """A hook stands for the person at the host's window."""
        work = self.place.workspace
        new = {"path": str(work / "new.txt"), "content": "new"}
        model = Messages(self, [("mcp__files__write_file", new)] * 2)
        asked, answer = self.place.root / "asked.jsonl", self.place.root / "answer.json"
        given = {"hookEventName": "Elicitation", "action": "accept", "content": {"answer": "once"}}
        answer.write_text(json.dumps({"hookSpecificOutput": given}))
        hook = {"type": "command", "command": f"cat >> '{asked}'; echo >> '{asked}'; cat '{answer}'"}
        settings = {"hooks": {"Elicitation": [{"matcher": "*", "hooks": [hook]}]}}
        output = self.run_claude(model, "--settings", json.dumps(settings))
        self.assertEqual(len(model.results), 2, output)
        for result in model.results:
            self.assertIn("Successfully wrote", result)
        questions = [json.loads(line) for line in asked.read_text().splitlines() if line]
        self.assertEqual(len(questions), 2)
        self.assertTrue(all(q["message"].startswith("Portcullis asks. ") for q in questions))
        self.assertEqual(self.place.decisions()[self.before:], ["ask", "permit", "ask", "permit"])
        self.assertEqual((work / "new.txt").read_text(), "new")


class ClaudeCodeAndServe(ClaudeCode, ServeCase):
    """The same with `serve` between, over HTTP and over the bridge."""

    def setUp(self):
        super().setUp()
        self.named(table("files", filesystem(self.place)))
        self.serves = self.serve()

    def server(self):
        token = {"Authorization": f"Bearer {self.serves.token()}"}
        return {"type": "http", "url": self.serves.url("/servers/files"), "headers": token}


class ClaudeCodeAndConnect(ClaudeCodeAndServe, ServeCase):
    def server(self):
        return {"type": "stdio", "command": PORTCULLIS, "args": ["connect", "files"], "env": self.place.environment()}


class Codex(HostCase, Case):
    def test_codex(self):
        model = Responses(self, self.calls(lambda tool: tool))
        home = self.place.root / "codex"
        home.mkdir()
        server = self.server()
        variables = ", ".join(f"{name} = {json.dumps(value)}" for name, value in server["env"].items())
        (home / "config.toml").write_text(
            f"""model = "none"
model_provider = "played"
approval_policy = "never"
[model_providers.played]
name = "played"
base_url = "{model.address}/v1"
wire_api = "responses"
[mcp_servers.files]
command = {json.dumps(server["command"])}
args = {json.dumps(server["args"])}
env = {{ {variables} }}
default_tools_approval_mode = "approve"
required = true
"""
        )
        command = [str(HOSTS / "codex"), "exec", "--skip-git-repo-check", "go"]
        self.check(model, self.run_host(command, {"CODEX_HOME": str(home)}))


class GeminiCli(HostCase, Case):
    # This host shows no questions, so that nobody answers.
    wait = 3

    def test_gemini_cli(self):
        model = Contents(self, self.calls(lambda tool: f"mcp_files_{tool}"))
        folder = self.place.home / ".gemini"
        folder.mkdir()
        settings = {
            "mcpServers": {"files": {**self.server(), "trust": True}},
            "security": {"auth": {"selectedType": "gemini-api-key"}},
            "privacy": {"usageStatisticsEnabled": False},
        }
        (folder / "settings.json").write_text(json.dumps(settings))
        environment = {
            "GOOGLE_GEMINI_BASE_URL": model.address,
            "GEMINI_API_KEY": "none",
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
            "GEMINI_CLI_NO_RELAUNCH": "true",
        }
        command = [str(HOSTS / "gemini"), "-p", "go", "--yolo", "-m", "gemini-2.5-flash"]
        self.check(model, self.run_host(command, environment))


if __name__ == "__main__":
    unittest.main()
