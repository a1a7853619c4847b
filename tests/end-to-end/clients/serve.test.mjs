// The TypeScript SDKs of both versions, over HTTP.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

import { Client as Client2, StreamableHTTPClientTransport as Http2 } from "@modelcontextprotocol/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

import { TOKEN, person, place, said, serving } from "./gateway.mjs";

const sdks = {
  "version 1": (answer) => {
    const client = new Client1({ name: "end-to-end", version: "1" }, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params.message));
    return [client, Http1];
  },
  "version 2": (answer) => {
    const options = { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: "auto" } };
    const client = new Client2({ name: "end-to-end", version: "1" }, options);
    client.setRequestHandler("elicitation/create", ({ params }) => answer(params.message));
    return [client, Http2];
  },
};

async function connect(test, sdk, { address, headers }, path, answer) {
  const [client, Http] = sdks[sdk](answer);
  await client.connect(new Http(new URL(address + path), { requestInit: { headers } }));
  test.after(() => client.close());
  return client;
}

const filesystem = (work) => ["npx", "-y", "@modelcontextprotocol/server-filesystem", work];
const everything = ["npx", "-y", "@modelcontextprotocol/server-everything"];

for (const sdk of Object.keys(sdks)) {
  test(`${sdk}: one server as it is, and all as one, in one session`, async (test) => {
    const here = place(test);
    const serve = await serving(test, here, { files: filesystem(here.work), busy: everything });
    const user = person("once", "session-1", "refuse");
    const files = await connect(test, sdk, serve, "/servers/files", user.answer);
    const call = { name: "read_text_file", arguments: { path: join(here.work, "notes.txt") } };
    assert.equal(said(await files.callTool(call)), "hello from a file");
    const all = await connect(test, sdk, serve, "/mcp", user.answer);
    const names = (await all.listTools()).tools.map((tool) => tool.name);
    assert.ok(names.includes("files__read_text_file") && names.includes("busy__echo"));
    const secret = { name: "files__read_text_file", arguments: { path: join(here.work, ".env") } };
    assert.match(said(await all.callTool(secret)), new RegExp(TOKEN));
    const sent = await all.callTool({ name: "busy__echo", arguments: { message: `the key is ${TOKEN}` } });
    assert.equal(sent.isError, true);
    assert.match(user.asked[2], /text of .*\/\.env/);
  });

  test(`${sdk}: progress of a long call`, async (test) => {
    const here = place(test);
    const serve = await serving(test, here, { busy: everything });
    const user = person("session-1");
    const client = await connect(test, sdk, serve, "/servers/busy", user.answer);
    const told = [];
    const call = { name: "trigger-long-running-operation", arguments: { duration: 0.2, steps: 2 } };
    const options = { onprogress: ({ progress }) => told.push(progress) };
    await (sdk === "version 1" ? client.callTool(call, undefined, options) : client.callTool(call, options));
    assert.deepEqual(told, [1, 2]);
  });
}

test("version 2: the newer era", async (test) => {
  const here = place(test);
  execFileSync("git", ["init", "-q", "-b", "trunk", here.work]);
  const serve = await serving(test, here, { git: ["uvx", "mcp-server-git", "--repository", here.work] });
  const user = person("once", "session-1");
  const client = await connect(test, "version 2", serve, "/servers/git", user.answer);
  await client.listTools();
  assert.equal(client.getNegotiatedProtocolVersion(), "2026-07-28");
  for (const asked of [1, 2, 2]) {
    const call = { name: "git_status", arguments: { repo_path: here.work } };
    assert.match(said(await client.callTool(call)), /On branch trunk/);
    assert.equal(user.asked.length, asked);
  }
});

for (const sdk of Object.keys(sdks)) {
  test(`${sdk}: nobody without the token`, async (test) => {
    const here = place(test);
    const serve = await serving(test, here, { files: filesystem(here.work) });
    const stranger = { ...serve, headers: {} };
    await assert.rejects(connect(test, sdk, stranger, "/mcp", person().answer), /401|[Uu]nauthorized|token/);
  });
}
