// A server of the era with sessions (2025-11-25), made with the TypeScript SDK 1, with all that the scenarios of that revision
// ask for. Over HTTP, or over standard input and output with `--stdio`.

import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { localhostHostValidation, localhostOriginValidation } from "@modelcontextprotocol/node";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  CreateMessageResultSchema,
  ElicitResultSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import {
  completions,
  fromTemplate,
  listen,
  nothing,
  pause,
  progress,
  prompts,
  reached,
  resources,
  said,
  template,
  tools,
} from "./fixtures.mjs";

const LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

const oneText = (name, description) => ({
  type: "object",
  properties: { [name]: { type: "string", description } },
  required: [name],
});

const withDefaults = {
  type: "object",
  properties: {
    name: { type: "string", description: "Your name", default: "John Doe" },
    age: { type: "integer", description: "Your age", default: 30 },
    score: { type: "number", description: "Your score", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", description: "Whether that is verified", default: true },
  },
  required: [],
};

const titled = (word) =>
  ["value1", "value2", "value3"].map((value, at) => ({ const: value, title: `${word} ${at + 1}` }));
const options = ["option1", "option2", "option3"];
const choices = {
  type: "object",
  properties: {
    untitledSingle: { type: "string", enum: options },
    titledSingle: { type: "string", oneOf: titled("Option") },
    legacyEnum: {
      type: "string",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: { type: "array", items: { type: "string", enum: options } },
    titledMulti: { type: "array", items: { anyOf: titled("Choice") } },
  },
  required: [],
};

const credentials = {
  type: "object",
  properties: {
    username: { type: "string", description: "User's response" },
    email: { type: "string", description: "User's email address" },
  },
  required: ["username", "email"],
};

async function elicit(extra, message, requestedSchema, words) {
  const request = { method: "elicitation/create", params: { message, requestedSchema } };
  const { action, content } = await extra.sendRequest(request, ElicitResultSchema);
  return said(`${words}: action=${action}, content=${JSON.stringify(content ?? {})}`);
}

async function sample(extra, prompt) {
  const messages = [{ role: "user", content: { type: "text", text: prompt } }];
  const request = { method: "sampling/createMessage", params: { messages, maxTokens: 100 } };
  const { content } = await extra.sendRequest(request, CreateMessageResultSchema);
  return said(`LLM response: ${content.text}`);
}

/** Ends the stream of this call before its answer, which has to be fetched by another one. */
async function reconnect(extra) {
  extra.closeSSEStream?.();
  await pause(100);
  return said("answered after the stream was closed");
}

/** Tools of this era: name, description, schema, and what they do with arguments and the rest of a request. */
const toolsOfThisEra = (log) => [
  [
    "test_tool_with_logging",
    "Logs three times on its way",
    nothing,
    async (_, extra) => {
      for (const words of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
        await log(extra, "info", words);
        await pause(20);
      }
      return said("logged");
    },
  ],
  [
    "test_tool_with_progress",
    "Tells how far it is",
    nothing,
    (_, extra) => progress(extra._meta?.progressToken, extra.sendNotification),
  ],
  [
    "test_sampling",
    "Asks the model of the client",
    oneText("prompt", "What the model is asked"),
    ({ prompt }, extra) => sample(extra, prompt),
  ],
  [
    "test_elicitation",
    "Asks the user",
    oneText("message", "What the user is asked"),
    ({ message }, extra) => elicit(extra, message, credentials, "User response"),
  ],
  [
    "test_elicitation_sep1034_defaults",
    "Asks the user, with values to begin with",
    nothing,
    (_, extra) => elicit(extra, "Please check these values", withDefaults, "Elicitation completed"),
  ],
  [
    "test_elicitation_sep1330_enums",
    "Asks the user to choose, in five ways",
    nothing,
    (_, extra) => elicit(extra, "Please choose", choices, "Elicitation completed"),
  ],
  ["test_reconnection", "Closes its stream before it answers", nothing, (_, extra) => reconnect(extra)],
];

function makeServer() {
  const capabilities = {
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    logging: {},
    completions: {},
  };
  const server = new Server({ name: "portcullis-conformance-stateful", version: "1.0.0" }, { capabilities });
  let lowest = 0;
  const log = async (extra, level, data) => {
    if (LEVELS.indexOf(level) >= lowest) {
      await extra.sendNotification({ method: "notifications/message", params: { level, data } });
    }
  };
  const all = [...tools, ...toolsOfThisEra(log)];
  /** Handles a request, and notes that it came. */
  const on = (schema, handle) =>
    server.setRequestHandler(schema, (request, extra) => {
      reached(request.method, request.params);
      return handle(request.params, extra);
    });

  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: all.map(([name, description, inputSchema]) => ({ name, description, inputSchema })),
  }));
  on(CallToolRequestSchema, ({ name, arguments: given }, extra) => {
    const tool = all.find(([known]) => known === name);
    if (!tool) {
      throw new McpError(ErrorCode.InvalidParams, `there is no tool ${name}`);
    }
    return tool[3](given ?? {}, extra);
  });
  on(SetLevelRequestSchema, ({ level }) => {
    lowest = LEVELS.indexOf(level);
    return {};
  });
  addResources(server, on);
  addPrompts(server, on);
  return server;
}

function addResources(server, on) {
  const watched = new Set();
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: resources.map(({ uri, name, mimeType }) => ({ uri, name, mimeType })),
  }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [template] }));
  on(ReadResourceRequestSchema, ({ uri }) => {
    const found = resources.find((resource) => resource.uri === uri);
    if (found) {
      return { contents: [{ uri, mimeType: found.mimeType, ...found.content }] };
    }
    const [, id] = uri.match(/^test:\/\/template\/([^/]+)\/data$/) ?? [];
    if (id) {
      return fromTemplate(uri, id);
    }
    throw new McpError(ErrorCode.InvalidParams, "there is no such resource", { uri });
  });
  on(SubscribeRequestSchema, ({ uri }) => {
    watched.add(uri);
    return {};
  });
  on(UnsubscribeRequestSchema, ({ uri }) => {
    if (!watched.delete(uri)) {
      throw new McpError(ErrorCode.InvalidParams, "that was not subscribed to", { uri });
    }
    return {};
  });
}

function addPrompts(server, on) {
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: prompts.map(([name, description, named]) => ({
      name,
      description,
      arguments: named.map((argument) => ({ name: argument, required: true })),
    })),
  }));
  on(GetPromptRequestSchema, ({ name, arguments: given }) => {
    const prompt = prompts.find(([known]) => known === name);
    if (!prompt) {
      throw new McpError(ErrorCode.InvalidParams, `there is no prompt ${name}`);
    }
    return prompt[3](given ?? {});
  });
  on(CompleteRequestSchema, ({ argument }) => {
    const values = completions(argument.value);
    return { completion: { values, total: values.length, hasMore: false } };
  });
}

/** Keeps events, so that a stream that broke off can be taken up again. */
class Events {
  events = [];

  async storeEvent(stream, message) {
    this.events.push({ stream, message });
    return String(this.events.length);
  }

  async replayEventsAfter(last, { send }) {
    const { stream } = this.events[Number(last) - 1];
    for (const [at, event] of this.events.entries()) {
      // An event without a message only says where the stream begins.
      if (at >= Number(last) && event.stream === stream && Object.keys(event.message).length > 0) {
        await send(String(at + 1), event.message);
      }
    }
    return stream;
  }
}

const sessions = new Map();

async function begin() {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    eventStore: new Events(),
    retryInterval: 100,
    onsessioninitialized: (id) => sessions.set(id, transport),
    onsessionclosed: (id) => sessions.delete(id),
  });
  await makeServer().connect(transport);
  return transport;
}

if (process.argv.includes("--stdio")) {
  await makeServer().connect(new StdioServerTransport());
} else {
  const hostFits = localhostHostValidation();
  const originFits = localhostOriginValidation();
  listen(
    createServer(async (request, response) => {
      if (!hostFits(request, response) || !originFits(request, response)) {
        return;
      }
      const session = request.headers["mcp-session-id"];
      const transport = session ? sessions.get(session) : await begin();
      if (transport) {
        await transport.handleRequest(request, response);
      } else {
        const error = { code: -32001, message: "there is no such session" };
        response.writeHead(404, { "Content-Type": "application/json" });
        response.end(JSON.stringify({ jsonrpc: "2.0", id: null, error }));
      }
    }),
  );
}
