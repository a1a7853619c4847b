// The TypeScript SDK of both eras, version 2.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

import { person, place, said } from "./gateway.mjs";

async function connect(test, parameters, answer) {
  const capabilities = answer ? { elicitation: { form: {} } } : {};
  const options = { capabilities, versionNegotiation: { mode: "auto" } };
  const client = new Client({ name: "end-to-end", version: "1" }, options);
  if (answer) client.setRequestHandler("elicitation/create", ({ params }) => answer(params.message));
  await client.connect(new StdioClientTransport(parameters));
  test.after(() => client.close());
  // There is no greeting in the newer era, so this is what tells that the server is there.
  await client.listTools();
  return client;
}

const servers = {
  git: (work) => {
    execFileSync("git", ["init", "-q", "-b", "trunk", work]);
    const call = { name: "git_status", arguments: { repo_path: work } };
    return { command: ["uvx", "mcp-server-git", "--repository", work], era: "2026-07-28", call, gives: /On branch trunk/ };
  },
  filesystem: (work) => {
    const call = { name: "read_text_file", arguments: { path: join(work, "notes.txt") } };
    const command = ["npx", "-y", "@modelcontextprotocol/server-filesystem", work];
    return { command, era: "2025-11-25", call, gives: /hello from a file/ };
  },
};

for (const [name, server] of Object.entries(servers)) {
  test(`${name}: asked in its era, allowed once, then for the session`, async (test) => {
    const { work, guarded } = place(test);
    const { command, era, call, gives } = server(work);
    const user = person("once", "session-1");
    const client = await connect(test, guarded(...command), user.answer);
    assert.equal(client.getNegotiatedProtocolVersion(), era);
    for (const asked of [1, 2, 2]) {
      assert.match(said(await client.callTool(call)), gives);
      assert.equal(user.asked.length, asked);
    }
    assert.match(user.asked[0], new RegExp(`^Portcullis asks\\. The agent, through the server ${name}, wants to call`));
  });

  test(`${name}: refused where nobody answers`, async (test) => {
    const { work, guarded } = place(test, { wait: 1 });
    const { command, call } = server(work);
    const client = await connect(test, guarded(...command));
    const result = await client.callTool(call);
    assert.equal(result.isError, true);
    assert.match(said(result), /needs the user's consent, and nobody has answered yet/);
  });
}
