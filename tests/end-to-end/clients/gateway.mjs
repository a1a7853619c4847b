// What the tests of clients share: a place of their own, and the command that guards a server.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

export const TOKEN = "sk-live-9f8e7d6c5b4a39281706fedcba98";

/** A workspace, a home folder and a store that nobody else has. */
export function place(test, { wait = 50 } = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "portcullis-end-to-end-")));
  test.after(() => rmSync(root, { recursive: true, force: true }));
  const [work, home, state] = ["work", "home", "state"].map((name) => join(root, name));
  for (const folder of [work, home, state]) mkdirSync(folder, { mode: 0o700 });
  writeFileSync(join(state, "portcullis.toml"), `[asking]\nwait = ${wait}\n[tools]\nunverified = "warn"\n`);
  writeFileSync(join(work, "notes.txt"), "hello from a file");
  writeFileSync(join(work, ".env"), `API_KEY=${TOKEN}\n`);
  const env = {
    PATH: `${process.env.PORTCULLIS_TOOLS}/bin:${process.env.PATH}`,
    HOME: home,
    LANG: "C.UTF-8",
    PORTCULLIS_HOME: state,
  };
  const guarded = (...server) => ({
    command: process.env.PORTCULLIS_PROGRAM,
    args: ["run", "--workspace", work, "--", ...server],
    env,
    cwd: work,
    stderr: "ignore",
  });
  return { work, guarded };
}

/** Answers the gateway's questions in order, and keeps what was asked. */
export function person(...answers) {
  const asked = [];
  const answer = (message) => {
    asked.push(message);
    const next = answers.shift();
    return next === undefined ? { action: "cancel" } : { action: "accept", content: { answer: next } };
  };
  return { asked, answer };
}

/** The texts of a result of a tool. */
export const said = (result) => result.content.map((item) => item.text ?? "").join("\n");

/** `portcullis serve` with these servers: its address, and the header that it wants. */
export async function serving(test, { work, guarded }, servers) {
  const { command, env } = guarded();
  const tables = Object.entries(servers).map(([name, server]) => `[servers.${name}]\ncommand = ${JSON.stringify(server)}\n`);
  appendFileSync(join(env.PORTCULLIS_HOME, "portcullis.toml"), tables.join(""));
  const serve = spawn(command, ["serve", "--listen", "127.0.0.1:0", "--workspace", work], { env, cwd: work, stdio: ["ignore", "pipe", "ignore"] });
  test.after(() => new Promise((ended) => serve.once("exit", ended) && serve.kill()));
  const [line] = await once(createInterface(serve.stdout), "line");
  const token = execFileSync(command, ["serve", "--print-token"], { env, encoding: "utf8" }).trim();
  return { address: line.replace("listening on ", ""), headers: { Authorization: `Bearer ${token}` } };
}
