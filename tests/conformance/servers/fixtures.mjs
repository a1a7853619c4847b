// What the scenarios of the conformance suite expect of a server, as far as both eras share it: the names and texts are the
// suite's, everything else is our own.

import { appendFileSync } from "node:fs";
import { crc32, deflateSync } from "node:zlib";

/** Notes what reached the server, so that a pass shows that something was really done. */
export function reached(method, params = {}) {
  const file = process.env.CONFORMANCE_REACHED;
  if (file) {
    const { name, uri, ref, level } = params;
    appendFileSync(file, `${JSON.stringify({ method, of: name ?? uri ?? ref?.name ?? ref?.uri ?? level })}\n`);
  }
}

export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
export const text = (words) => ({ type: "text", text: words });
export const said = (words) => ({ content: [text(words)] });

/** A picture of one red pixel. */
function picture() {
  const chunk = (kind, data) => {
    const body = Buffer.concat([Buffer.from(kind, "latin1"), data]);
    const length = Buffer.alloc(4);
    const sum = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]);
  const pixel = deflateSync(Buffer.from([0, 255, 0, 0]));
  const start = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([start, chunk("IHDR", header), chunk("IDAT", pixel), chunk("IEND", Buffer.alloc(0))]).toString(
    "base64",
  );
}

/** A sound of eight silent samples. */
function sound() {
  const samples = Buffer.alloc(8, 128);
  const header = Buffer.alloc(44);
  header.write("RIFF", 0, "latin1");
  header.writeUInt32LE(36 + samples.length, 4);
  header.write("WAVEfmt ", 8, "latin1");
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8000, 24);
  header.writeUInt32LE(8000, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write("data", 36, "latin1");
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]).toString("base64");
}

export const image = { type: "image", data: picture(), mimeType: "image/png" };
export const audio = { type: "audio", data: sound(), mimeType: "audio/wav" };

export const nothing = { type: "object", properties: {}, additionalProperties: false };

/** The keywords of JSON Schema 2020-12 that have to arrive as they were written. */
export const everyKeyword = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

/** Tools that do the same in both eras: name, description, schema, and what they answer. */
export const tools = [
  ["test_simple_text", "Answers with a text", nothing, () => said("This is a simple text response for testing.")],
  ["test_image_content", "Answers with an image", nothing, () => ({ content: [image] })],
  ["test_audio_content", "Answers with a sound", nothing, () => ({ content: [audio] })],
  [
    "test_embedded_resource",
    "Answers with a resource",
    nothing,
    () => ({
      content: [
        {
          type: "resource",
          resource: {
            uri: "test://embedded-resource",
            mimeType: "text/plain",
            text: "This is an embedded resource content.",
          },
        },
      ],
    }),
  ],
  [
    "test_multiple_content_types",
    "Answers with a text, an image and a resource",
    nothing,
    () => ({
      content: [
        text("Multiple content types test:"),
        image,
        {
          type: "resource",
          resource: {
            uri: "test://mixed-content-resource",
            mimeType: "application/json",
            text: JSON.stringify({ test: "data", value: 123 }),
          },
        },
      ],
    }),
  ],
  [
    "test_error_handling",
    "Fails each time",
    nothing,
    () => ({ isError: true, ...said("This tool intentionally returns an error for testing") }),
  ],
  ["json_schema_2020_12_tool", "Takes what a rich schema describes", everyKeyword, () => said("taken")],
];

/** Progress in three steps, if somebody wants to know. */
export async function progress(token, notify) {
  for (const step of [0, 50, 100]) {
    if (token !== undefined) {
      const params = { progressToken: token, progress: step, total: 100 };
      await notify({ method: "notifications/progress", params });
    }
    await pause(20);
  }
  return said("went through all steps");
}

export const resources = [
  {
    uri: "test://static-text",
    name: "static-text",
    mimeType: "text/plain",
    content: { text: "This is the content of the static text resource." },
  },
  { uri: "test://static-binary", name: "static-binary", mimeType: "image/png", content: { blob: image.data } },
  {
    uri: "test://watched-resource",
    name: "watched-resource",
    mimeType: "text/plain",
    content: { text: "A resource that can be subscribed to." },
  },
];

export const template = { uriTemplate: "test://template/{id}/data", name: "template", mimeType: "application/json" };

export const fromTemplate = (uri, id) => ({
  contents: [
    {
      uri,
      mimeType: "application/json",
      text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
    },
  ],
});

const fromUser = (content) => ({ role: "user", content });

/** Prompts that are the same in both eras: name, description, arguments, and what they answer. */
export const prompts = [
  [
    "test_simple_prompt",
    "A prompt without arguments",
    [],
    () => ({ messages: [fromUser(text("This is a simple prompt for testing."))] }),
  ],
  [
    "test_prompt_with_arguments",
    "A prompt with two arguments",
    ["arg1", "arg2"],
    ({ arg1, arg2 }) => ({ messages: [fromUser(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))] }),
  ],
  [
    "test_prompt_with_embedded_resource",
    "A prompt with a resource in it",
    ["resourceUri"],
    ({ resourceUri }) => ({
      messages: [
        fromUser({
          type: "resource",
          resource: {
            uri: resourceUri,
            mimeType: "text/plain",
            text: "Embedded resource content for testing.",
          },
        }),
        fromUser(text("Please process the embedded resource above.")),
      ],
    }),
  ],
  [
    "test_prompt_with_image",
    "A prompt with an image in it",
    [],
    () => ({ messages: [fromUser(image), fromUser(text("Please analyze the image above."))] }),
  ],
];

/** What an argument of a prompt could be. */
export const completions = (begun) => ["test", "testing", "tests"].filter((word) => word.startsWith(begun));

/** Serves on a free port of this machine only, or the one that is asked for, and says where. */
export function listen(server) {
  server.listen(Number(process.env.CONFORMANCE_PORT ?? 0), "127.0.0.1", () => {
    console.log(`listening on http://127.0.0.1:${server.address().port}/mcp`);
  });
  process.on("SIGTERM", () => process.exit(0));
}
