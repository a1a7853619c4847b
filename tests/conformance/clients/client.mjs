// The client that the suite starts for its client scenarios: the last word is the address of the suite's server, the
// environment names the scenario and the revision. With CONFORMANCE_GATEWAY it starts a gateway, and talks to that instead.
// Ends with 1 if what comes back is not what the scenario's server sends.

import assert from "node:assert/strict";

import { Client as Stateless, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as Stateful } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as StatefulTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

import { startGateway } from "./gateway.mjs";

const { MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_PROTOCOL_VERSION: revision } = process.env;
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");
const us = { name: "portcullis-conformance", version: "1.0.0" };

/** What each scenario wants a client to do. */
const scenarios = {
  initialize: async (client) => {
    assert.deepEqual((await client.listTools()).tools, []);
  },
  tools_call: async (client) => {
    assert.deepEqual(await names(client), ["add_numbers"]);
    assert.equal(await call(client, "add_numbers", { a: 2, b: 3 }), "The sum of 2 and 3 is 5");
  },
  "elicitation-sep1034-client-defaults": async (client) => {
    const said = await call(client, "test_client_elicitation_defaults");
    const given = { name: "John Doe", age: 30, score: 95.5, status: "active", verified: true };
    assert.deepEqual(JSON.parse(said.replace("Elicitation completed: ", "")), given);
  },
  "sse-retry": async (client) => {
    assert.equal(await call(client, "test_reconnection"), "Reconnection test completed successfully");
  },
  "json-schema-2020-12-preservation": async (client) => {
    const { tools } = await client.listTools();
    const { inputSchema } = tools.find(({ name }) => name === "json_schema_2020_12_tool");
    assert.equal(await call(client, "json_schema_echo", { schema: inputSchema }), "echoed");
  },
  "json-schema-ref-no-deref": async (client) => {
    assert.deepEqual(await names(client), ["lookup_user"]);
  },
  "request-metadata": async (client) => {
    assert.deepEqual((await client.listTools()).tools, []);
  },
  "sep-2322-client-request-state": async (client) => {
    await client.listTools();
    const first = call(client, "test_mrtr_echo_state");
    const unrelated = call(client, "test_mrtr_unrelated");
    assert.deepEqual(await Promise.all([first, unrelated]), ["echo-state-ok", "unrelated-ok"]);
    assert.equal(await call(client, "test_mrtr_no_state"), "no-state-ok");
    // The suite wants that nobody takes this for a question. The SDK goes further, with the text of the revision.
    await assert.rejects(call(client, "test_mrtr_no_result_type"), /missing required resultType/);
  },
  "http-standard-headers": async (client) => {
    for (const name of await names(client)) assert.equal(await call(client, name), "Headers test completed");
    for (const { uri } of (await client.listResources()).resources) await client.readResource({ uri });
    for (const { name } of (await client.listPrompts()).prompts) await client.getPrompt({ name });
  },
  "http-custom-headers": async (client) => {
    await client.listTools();
    for (const { name, arguments: given } of context.toolCalls) {
      assert.equal(await call(client, name, given), "Custom headers test completed");
    }
  },
  "http-invalid-tool-headers": async (client) => {
    // Only the tools that the SDK still shows are called.
    for (const name of await names(client)) {
      assert.equal(await call(client, name, { region: "here" }), "Tool call received");
    }
  },
};

const names = async (client) => (await client.listTools()).tools.map(({ name }) => name);

async function call(client, name, given = {}) {
  const { content } = await client.callTool({ name, arguments: given });
  return content.map(({ text }) => text).join("\n");
}

async function connect(address) {
  if (revision === "2025-11-25") {
    const capabilities = { elicitation: { form: { applyDefaults: true } } };
    const client = new Stateful(us, { capabilities });
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: {} }));
    await client.connect(new StatefulTransport(new URL(address)));
    return client;
  }
  const capabilities = { elicitation: { form: {} }, sampling: {}, roots: {} };
  const client = new Stateless(us, { capabilities, versionNegotiation: { mode: { pin: revision } } });
  client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { confirmed: true } }));
  await client.connect(new StreamableHTTPClientTransport(new URL(address)));
  return client;
}

const gateway = process.env.CONFORMANCE_GATEWAY ? await startGateway(process.argv.at(-1)) : undefined;
try {
  const client = await connect(gateway?.address ?? process.argv.at(-1));
  await scenarios[scenario](client);
  await client.close();
} finally {
  await gateway?.stop();
}
