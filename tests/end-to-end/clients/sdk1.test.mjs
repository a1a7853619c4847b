// The TypeScript SDK of the era with sessions, version 1.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

import { TOKEN, person, place, said } from "./gateway.mjs";

async function connect(test, parameters, answer) {
  const capabilities = answer ? { elicitation: {} } : {};
  const client = new Client({ name: "end-to-end", version: "1" }, { capabilities });
  if (answer) client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params.message));
  await client.connect(new StdioClientTransport(parameters));
  test.after(() => client.close());
  return client;
}

const filesystem = (work) => ["npx", "-y", "@modelcontextprotocol/server-filesystem", work];

test("once is once, and what is allowed for the session is not asked again", async (test) => {
  const { work, guarded } = place(test);
  const user = person("once", "session-1");
  const client = await connect(test, guarded(...filesystem(work)), user.answer);
  const call = { name: "read_text_file", arguments: { path: join(work, "notes.txt") } };
  for (const asked of [1, 2, 2, 2]) {
    assert.equal(said(await client.callTool(call)), "hello from a file");
    assert.equal(user.asked.length, asked);
  }
  assert.match(user.asked[0], /^Portcullis asks\. The agent, through the server filesystem, wants to call read_text_file/);
});

test("what nobody answers is refused, in words for the model", async (test) => {
  const { work, guarded } = place(test, { wait: 1 });
  const client = await connect(test, guarded(...filesystem(work)));
  await client.listTools();
  const result = await client.callTool({ name: "read_text_file", arguments: { path: join(work, "notes.txt") } });
  assert.equal(result.isError, true);
  assert.match(said(result), /needs the user's consent, and nobody has answered yet/);
});

test("two servers of one host share a session: a secret is known to the other", async (test) => {
  const { work, guarded } = place(test);
  const user = person("session-1", "refuse");
  const files = await connect(test, guarded(...filesystem(work)), user.answer);
  const other = await connect(test, guarded("npx", "-y", "@modelcontextprotocol/server-everything"), user.answer);
  const read = await files.callTool({ name: "read_text_file", arguments: { path: join(work, ".env") } });
  assert.match(said(read), new RegExp(TOKEN));
  const sent = await other.callTool({ name: "echo", arguments: { message: `the key is ${TOKEN}` } });
  assert.equal(sent.isError, true);
  assert.match(user.asked[1], /text of .*\/\.env, read in step 1/);
});

test("settings that cannot be read end the gateway before anything begins", async (test) => {
  const { work, guarded } = place(test);
  const parameters = guarded(...filesystem(work));
  writeFileSync(join(parameters.env.PORTCULLIS_HOME, "portcullis.toml"), "[asking]\nwait = \"long\"\n");
  await assert.rejects(connect(test, parameters), /closed/i);
});
