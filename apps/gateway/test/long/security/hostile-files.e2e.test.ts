import { retryAssertion } from '@gateway/repo-checks';
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ask, callTool, textOf } from '../../harness/answers.ts';
import { connect, type TestClient } from '../../harness/clients.ts';
import { startGateway, type RunningGateway } from '../../harness/gateway.ts';
import { setUp, testDirectory } from '../../harness/lifetime.ts';

const SECRET = 'hunter2canary';
const HEAD =
  'apiVersion: gateway.internal/v1alpha1\nkind: MCPServer\nmetadata: {name: NAME}\nspec:\n';
const STDIO = `${HEAD}  type: stdio\n  command: run\n`;
const REMOTE = `${HEAD}  type: sse\n  url: http://127.0.0.1:9/sse\n`;

/** Not the name of a header, but a valid name of a variable; names of variables are shown. */
const VARIABLE = `{"${SECRET} ${SECRET}": a}`;

/** Values and keys of `env` and `headers`. */
const MAPS = [
  `{TOKEN: [${SECRET}]}`,
  `{TOKEN: {${SECRET}: ${SECRET}}}`,
  `{${SECRET}: 1}`,
  `{"${SECRET}=${SECRET}": a}`,
  VARIABLE,
  `{TOKEN: "${SECRET}\\0${SECRET}"}`,
  `{TOKEN: "${SECRET}\\n${SECRET}\u20ac"}`,
  `{TOKEN: ${'x'.repeat(70_000)}${SECRET}}`,
  `{${'x'.repeat(300)}${SECRET}: a}`,
  `[${SECRET}]`,
  SECRET,
];

/** The end of a line `TOKEN: ` that makes the text invalid. */
const VALUES = [
  `*${SECRET}`,
  `!${SECRET} a`,
  `!<${SECRET}> a`,
  `|${SECRET}\n      a`,
  `>9${SECRET}\n      a`,
  `&${SECRET} *a`,
  `"${SECRET}`,
  `'${SECRET}`,
  `"\\q${SECRET}"`,
  `\`${SECRET}`,
  `a: ${SECRET}`,
  `[${SECRET}`,
  `{${SECRET}`,
  `a\n${SECRET}`,
  `a\n    TOKEN: ${SECRET}`,
  `a\n    ${SECRET}: 1\n    ${SECRET}: 2`,
  `a\n---\n${SECRET}: a`,
  `a\n\t${SECRET}: a`,
  `*${SECRET.repeat(8_000)}`,
];

const SERVERS: readonly string[] = [
  ...MAPS.flatMap((map) => [`${REMOTE}  headers: ${map}\n`]),
  ...MAPS.filter((map) => map !== VARIABLE).map((map) => `${STDIO}  env: ${map}\n`),
  ...MAPS.map((map) => `${STDIO}  headers: ${map}\n`),
  ...VALUES.flatMap((value) => [
    `${STDIO}  env:\n    TOKEN: ${value}\n`,
    `${REMOTE}  headers:\n    Authorization: ${value}\n`,
  ]),
  `${STDIO}  env: {TOKEN: ${SECRET}}\n`,
  `${REMOTE}  headers: {Authorization: ${SECRET}}\n`,
  `%${SECRET}\n---\n${STDIO}`,
  `PASSWORD=${SECRET}\n`,
  `root:${SECRET}:0\ndaemon:${SECRET}:1\n`,
  `${SECRET}\n${SECRET}: 1\n`,
];

const directory = testDirectory();
const outside = testDirectory();
let gateway: RunningGateway;
let client: TestClient;

const NAMES = {
  servers: SERVERS.map((_, at) => `s${String(at)}`),
  workflows: SERVERS.map((_, at) => `w${String(at)}`),
};

const startFile = join(outside.path, 'start');
const resultFile = join(outside.path, 'longest');

setUp(async () => {
  directory.config({});
  for (const [at, text] of SERVERS.entries()) {
    directory.write(`mcpservers/s${String(at)}.yaml`, text.replace('NAME', `s${String(at)}`));
    directory.write(`workflows/w${String(at)}.yaml`, text.replace('NAME', `w${String(at)}`));
  }
  outside.write('shadow.yaml', `root: ${SECRET}\n${SECRET}: x\n`);
  symlinkSync(join(outside.path, 'shadow.yaml'), join(directory.path, 'mcpservers/link.yaml'));
  symlinkSync(join(outside.path, 'shadow.yaml'), join(directory.path, 'workflows/link.yaml'));
  symlinkSync('/proc/self/environ', join(directory.path, 'workflows/proc.yaml'));
  symlinkSync('/dev/zero', join(directory.path, 'workflows/zero.yaml'));
  const probe = pathToFileURL(join(import.meta.dirname, '../../fixtures/longest-turn.mjs')).href;
  gateway = await startGateway(directory.path, {
    node: ['--import', probe],
    env: { LONGEST_TURN_START: startFile, LONGEST_TURN_RESULT: resultFile },
  });
  client = await connect(gateway.url);
});

interface CoreTools {
  readonly tools: readonly {
    readonly name: string;
    readonly annotations?: { readonly readOnlyHint?: boolean };
  }[];
}

/** Calls every read-only core tool, with each name where a tool takes one. Returns all answers as one text. */
async function everyAnswer(): Promise<string> {
  const { tools } = await ask<CoreTools>(client, 'list_tools', { limit: 1_000 });
  const readOnly = tools
    .filter(({ name, annotations }) => name.startsWith('core_') && annotations?.readOnlyHint)
    .map(({ name }) => name);
  expect(readOnly.length).toBeGreaterThan(10);
  const answers = [JSON.stringify(tools)];
  for (const tool of readOnly) {
    for (const args of [{}, { showAll: true, verbose: true }, { limit: 1_000 }])
      answers.push(textOf(await callTool(client, tool, args)));
  }
  const { servers, workflows } = NAMES;
  for (const name of [...servers, 'link'])
    answers.push(textOf(await callTool(client, 'core_mcpserver_get', { name })));
  for (const name of [...workflows, 'link', 'proc', 'zero'])
    answers.push(textOf(await callTool(client, 'core_workflow_get', { name })));
  for (const path of ['/metrics', '/readyz'])
    answers.push(await (await fetch(new URL(path, gateway.url))).text());
  return answers.join('\n');
}

describe('a secret at any position of a file', () => {
  it('is in no answer of a read-only core tool, no event and no metric', async () => {
    const text = await everyAnswer();
    expect(text).toContain('an alias has no anchor before it');
    expect(text).toContain('is a link to a file outside of the directory');
    const at = text.indexOf(SECRET);
    expect(at === -1 ? '' : text.slice(Math.max(0, at - 200), at + 50)).toBe('');
  });
  it('is not in the log, whose lines are short', () => {
    const lines = gateway.stderr.join('\n');
    expect(lines).toContain('an alias has no anchor before it');
    expect(lines).not.toContain(SECRET);
    expect(Math.max(...gateway.stderr.map((line) => line.length))).toBeLessThan(2_000);
  });
});

/** Texts of the largest permitted size that take the most time. */
const LARGEST = [
  `a: [${'1,'.repeat(65_000)}]\n`,
  `"${'\\q'.repeat(65_000)}"\n`,
  '%a b\n'.repeat(26_000),
  `- {a: 1}\n`.repeat(14_500),
  `a: [${'*x,'.repeat(43_000)}]\n`,
].map((text) => text.slice(0, 131_072));

const stepsOf = (count: number): string =>
  Array.from(
    { length: count },
    (_, at) => `  - {id: s${String(at)}, tool: x_a_b, args: {a: '{{ .input.x }}'}}\n`,
  ).join('');

/** Writes 200 files at once. Returns the longest turn until they are known, in milliseconds of processor time. */
const longestTurnOf = async (round: string): Promise<number> => {
  writeFileSync(startFile, round);
  for (let at = 0; at < 200; at += 1) {
    const name = `${round}-${String(at)}`;
    const valid = `apiVersion: gateway.internal/v1alpha1\nkind: Workflow\nmetadata: {name: ${name}}\nspec:\n  steps:\n${stepsOf(900)}`;
    const text = LARGEST[at % (LARGEST.length + 1)] ?? valid;
    directory.write(`workflows/${name}.yaml`, text);
  }
  await retryAssertion(async () => {
    const { workflows } = JSON.parse(textOf(await callTool(client, 'core_workflow_list'))) as {
      readonly workflows: readonly { readonly name: string }[];
    };
    const known = workflows.filter(({ name }) => name.startsWith(round));
    expect(known.length).toBeGreaterThan(60);
  }, 900_000);
  const longest = Number(readFileSync(resultFile, 'utf8'));
  for (let at = 0; at < 200; at += 1)
    rmSync(join(directory.path, `workflows/${round}-${String(at)}.yaml`));
  return longest;
};

describe('200 files of the largest permitted size, written at once', () => {
  it('do not silence other callers for more than 50 ms of processor time', async () => {
    // Processes that share the caches of the processor lengthen a turn: the best of three rounds counts.
    const longest: number[] = [];
    for (const round of ['big', 'large', 'huge']) {
      longest.push(await longestTurnOf(round));
      if (Math.min(...longest) < 50) break;
    }
    expect(Math.min(...longest)).toBeLessThan(50);
  }, 1_200_000);
});
