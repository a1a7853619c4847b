// A gateway in front of one server, for as long as a client runs.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Starts a gateway for the server at this address, with a copy of the store that CONFORMANCE_STORE names. */
export async function startGateway(server) {
  const root = mkdtempSync(join(tmpdir(), "portcullis-conformance-"));
  const state = join(root, "state");
  cpSync(process.env.CONFORMANCE_STORE, state, { recursive: true });
  const settings = join(root, "serve.toml");
  writeFileSync(settings, `[servers.conformance]\nurl = ${JSON.stringify(server)}\n`);
  const words = ["serve", "--listen", "127.0.0.1:0", "--without-token", "--config", settings];
  const program = spawn(process.env.CONFORMANCE_GATEWAY, words, {
    cwd: root,
    env: { ...process.env, HOME: root, PORTCULLIS_HOME: state },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stop = async () => {
    if (program.exitCode === null && program.signalCode === null) {
      program.kill();
      await once(program, "exit");
    }
    rmSync(root, { recursive: true, force: true });
  };
  for await (const line of createInterface({ input: program.stdout })) {
    const [, base] = line.match(/^listening on (http:\S+?)\/?$/) ?? [];
    if (base) return { address: `${base}/servers/conformance`, stop };
  }
  await stop();
  throw new Error("the gateway ended before it listened");
}
