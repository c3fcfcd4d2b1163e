import { closeSync, openSync } from 'node:fs';
import { constants, devNull, setPriority } from 'node:os';
import process from 'node:process';
import { Worker } from 'node:worker_threads';
import type { JsonMap } from '@gateway/crd-schemas';
import {
  parseYaml as parse,
  type DocumentPath,
  type ParsedYaml,
  type YamlAnswer,
} from '@gateway/files';
import { runIsolatedWork } from '@gateway/workflow-engine';
import { finish, joinParts, splitValue } from './value-parts.ts';

/** A text to parse, and the paths whose positions are needed. */
export interface YamlInput {
  readonly text: string;
  readonly paths: readonly DocumentPath[];
}

// V8 reports exhausted memory on both outputs, and the standard output of a gateway may be a protocol.
for (const output of [1, 2]) {
  closeSync(output);
  openSync(devNull, 'w');
}

try {
  // Requests of callers come first.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
} catch {
  // The system may refuse it.
}

// A terminal sends these to the gateway too, which still needs results while it drains.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);

// Work occupies this thread, so that it would outlive a gateway that was killed.
const isSource = import.meta.url.endsWith('.ts');
new Worker(new URL(`./watch-parent.${isSource ? 'ts' : 'js'}`, import.meta.url), {
  workerData: process.ppid,
  execArgv: isSource ? ['--no-warnings'] : [],
}).unref();

/** Does the isolated work of a run. Input and result are parts of a value. */
export const render = (input: Uint8Array[]): Uint8Array[] =>
  finish(splitValue(runIsolatedWork(finish(joinParts(input)) as JsonMap)));

// A text whose positions are requested was parsed just before.
let last: { readonly text: string; readonly parsed: ParsedYaml } | undefined;

/** Parses a text and finds positions in it. */
export const parseYaml = ({ text, paths }: YamlInput): YamlAnswer => {
  if (last?.text !== text) last = { text, parsed: parse(text) };
  const { parsed } = last;
  return parsed.ok
    ? { ok: true, value: parsed.value, positions: paths.map((path) => parsed.locate(path)) }
    : parsed;
};
