// A server of the era without sessions (2026-07-28), made with the TypeScript SDK 2, with all that the scenarios of that
// revision ask for but for the extension of tasks. Over HTTP, or over standard input and output with `--stdio`.

import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from "@modelcontextprotocol/node";
import {
  acceptedContent,
  completable,
  createMcpHandler,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";
import {
  completions,
  fromTemplate,
  listen,
  nothing,
  progress,
  prompts,
  reached,
  resources,
  said,
  template,
  tools,
} from "./fixtures.mjs";

const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const states = createRequestStateCodec({ key: randomBytes(32) });

const form = (message, name, type) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: "object", properties: { [name]: { type } }, required: [name] },
  });
const question = (words, maxTokens) =>
  inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text: words } }],
    maxTokens,
  });

/** The answer to a form, if it has what the form asks for. */
function answered(context, key, name, type) {
  const content = acceptedContent(context.mcpReq.inputResponses, key);
  return typeof content?.[name] === type ? content[name] : undefined;
}

const answeredAs = (context, key, kind) => {
  const response = inputResponse(context.mcpReq.inputResponses, key);
  return response.kind === kind ? response : undefined;
};

/** Asks for a name, once more if the answer holds none. */
function greet(context) {
  const name = answered(context, "user_name", "name", "string");
  return name === undefined
    ? inputRequired({ inputRequests: { user_name: form("What is your name?", "name", "string") } })
    : said(`Hello, ${name}!`);
}

function sample(context) {
  const answer = answeredAs(context, "capital_question", "sampling");
  return answer
    ? said(answer.result.content.text)
    : inputRequired({ inputRequests: { capital_question: question("What is the capital of France?", 100) } });
}

function listRoots(context) {
  const answer = answeredAs(context, "client_roots", "roots");
  return answer
    ? said(`roots: ${answer.roots.map(({ uri }) => uri).join(", ")}`)
    : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
}

/** Asks, and takes the answer only together with the state that was handed out for it. */
async function confirm(context) {
  const ok = answered(context, "confirm", "ok", "boolean");
  if (ok === undefined || context.mcpReq.requestState()?.asked !== context.mcpReq.method) {
    const requestState = await states.mint({ asked: context.mcpReq.method }, context);
    return inputRequired({ inputRequests: { confirm: form("Please confirm", "ok", "boolean") }, requestState });
  }
  return said("state-ok");
}

async function askForAll(context) {
  const name = answered(context, "user_name", "name", "string");
  const greeting = answeredAs(context, "greeting", "sampling");
  const roots = answeredAs(context, "client_roots", "roots");
  if (name === undefined || !greeting || !roots || context.mcpReq.requestState()?.asked !== "all") {
    const inputRequests = {
      user_name: form("What is your name?", "name", "string"),
      greeting: question("Generate a greeting", 50),
      client_roots: inputRequired.listRoots(),
    };
    return inputRequired({ inputRequests, requestState: await states.mint({ asked: "all" }, context) });
  }
  return said(`${name}: ${greeting.result.content.text} ${roots.roots.length}`);
}

/** Two questions, one after the other: what was answered first is kept in the state. */
async function askTwice(context) {
  const state = context.mcpReq.requestState();
  const name = state?.name ?? (state?.round === 1 ? answered(context, "step1", "name", "string") : undefined);
  if (name === undefined) {
    const requestState = await states.mint({ round: 1 }, context);
    return inputRequired({
      inputRequests: { step1: form("Step 1: What is your name?", "name", "string") },
      requestState,
    });
  }
  const color = state.round === 2 ? answered(context, "step2", "color", "string") : undefined;
  if (color === undefined) {
    const requestState = await states.mint({ round: 2, name }, context);
    const step2 = form("Step 2: What is your favorite color?", "color", "string");
    return inputRequired({ inputRequests: { step2 }, requestState });
  }
  return said(`${name} likes ${color}`);
}

/** Asks in the ways that the client knows, and no other. */
function askAsPossible(context) {
  const declared = context.mcpReq.envelope?.[CAPABILITIES] ?? {};
  const possible = {
    elicitation: ["user_name", form("What is your name?", "name", "string")],
    sampling: ["greeting", question("Generate a greeting", 50)],
    roots: ["client_roots", inputRequired.listRoots()],
  };
  const known = Object.keys(possible).filter((capability) => capability in declared);
  return inputRequired({ inputRequests: Object.fromEntries(known.map((capability) => possible[capability])) });
}

const region = {
  type: "object",
  properties: { region: { type: "string", description: "Where", "x-mcp-header": "Region" } },
  required: ["region"],
};

/** Tools of this era: name, description, schema, and what they do with the context and the arguments. */
const toolsOfThisEra = (changed) => [
  [
    "test_tool_with_progress",
    "Tells how far it is",
    nothing,
    (context) => progress(context.mcpReq._meta?.progressToken, context.mcpReq.notify),
  ],
  // The SDK itself refuses what a client did not declare.
  ["test_missing_capability", "Needs a client that can sample", nothing, sample],
  ["test_streaming_elicitation", "Asks the user", nothing, greet],
  [
    "test_logging_tool",
    "Logs, if somebody wants to know",
    nothing,
    async (context) => {
      await context.mcpReq.log("info", "on the way");
      return said("logged");
    },
  ],
  [
    "test_trigger_tool_change",
    "Says that tools have changed",
    nothing,
    () => {
      changed.toolsChanged();
      return said("said so");
    },
  ],
  [
    "test_trigger_prompt_change",
    "Says that prompts have changed",
    nothing,
    () => {
      changed.promptsChanged();
      return said("said so");
    },
  ],
  ["test_region", "Takes an argument that is a header as well", region, (_, given) => said(`in ${given.region}`)],
  ["test_input_required_result_elicitation", "Asks for a name", nothing, greet],
  ["test_input_required_result_sampling", "Asks the model of the client", nothing, sample],
  ["test_input_required_result_list_roots", "Asks for the roots", nothing, listRoots],
  ["test_input_required_result_request_state", "Asks, with a state", nothing, confirm],
  ["test_input_required_result_multiple_inputs", "Asks for three things at once", nothing, askForAll],
  ["test_input_required_result_multi_round", "Asks twice", nothing, askTwice],
  ["test_input_required_result_tampered_state", "Asks, with a state that is sealed", nothing, confirm],
  ["test_input_required_result_capabilities", "Asks as the client can be asked", nothing, askAsPossible],
];

function makeServer(changed) {
  const server = new McpServer(
    { name: "portcullis-conformance-stateless", version: "1.0.0" },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        logging: {},
        completions: {},
      },
      cacheHints: { "tools/list": { ttlMs: 1000, cacheScope: "public" } },
      requestState: { verify: states.verify },
    },
  );
  const shared = tools.map(([name, description, schema, answer]) => [name, description, schema, () => answer()]);
  for (const [name, description, schema, answer] of [...shared, ...toolsOfThisEra(changed)]) {
    server.registerTool(name, { description, inputSchema: fromJsonSchema(schema) }, (given, context) => {
      reached("tools/call", { name });
      return answer(context, given);
    });
  }
  addResources(server);
  addPrompts(server);
  return server;
}

function addResources(server) {
  for (const { uri, name, mimeType, content } of resources) {
    server.registerResource(name, uri, { mimeType }, () => {
      reached("resources/read", { uri });
      return { contents: [{ uri, mimeType, ...content }] };
    });
  }
  const { name, uriTemplate, mimeType } = template;
  server.registerResource(name, new ResourceTemplate(uriTemplate, { list: undefined }), { mimeType }, (uri, { id }) => {
    reached("resources/read", { uri: uri.href });
    return fromTemplate(uri.href, id);
  });
}

function addPrompts(server) {
  const word = (name) =>
    completable(z.string(), (begun) => {
      reached("completion/complete", { name });
      return completions(begun);
    });
  for (const [name, description, named, answer] of prompts) {
    const argsSchema = z.object(Object.fromEntries(named.map((argument) => [argument, word(name)])));
    server.registerPrompt(name, { description, ...(named.length > 0 && { argsSchema }) }, (given) => {
      reached("prompts/get", { name });
      return answer(given);
    });
  }
  const name = "test_input_required_result_prompt";
  server.registerPrompt(name, { description: "A prompt that asks for its context" }, (context) => {
    reached("prompts/get", { name });
    const words = answered(context, "user_context", "context", "string");
    if (words === undefined) {
      const user_context = form("What context should the prompt use?", "context", "string");
      return inputRequired({ inputRequests: { user_context } });
    }
    return { messages: [{ role: "user", content: { type: "text", text: `Context: ${words}` } }] };
  });
}

if (process.argv.includes("--stdio")) {
  serveStdio(() => {
    const server = makeServer({
      toolsChanged: () => server.sendToolListChanged(),
      promptsChanged: () => server.sendPromptListChanged(),
    });
    return server;
  });
} else {
  const handler = createMcpHandler(() => makeServer(handler.notify), { legacy: "reject" });
  const serve = toNodeHandler(handler);
  const hostFits = localhostHostValidation();
  const originFits = localhostOriginValidation();
  listen(
    createServer((request, response) => {
      if (hostFits(request, response) && originFits(request, response)) {
        serve(request, response);
      }
    }),
  );
}
