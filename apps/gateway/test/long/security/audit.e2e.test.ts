import {
  createTestConfigDirectory,
  retryAssertion,
  type ConfigDirectory,
} from '@gateway/repo-checks';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { fixture } from '../../harness/fixture.ts';
import { runGateway, startGateway, type RunningGateway } from '../../harness/gateway.ts';

const CANARY = 'canary-4f1c';
const CALLERS = 8;
const ROUNDS = 25;

const cleanUps: (() => unknown)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

interface AuditLine {
  readonly id: string;
  readonly parent?: string;
  readonly run?: string;
  readonly name?: string;
  readonly metaTool?: string;
  readonly decision: string;
  readonly count?: number;
  readonly reason?: string;
  readonly outcome?: string;
  readonly [key: string]: unknown;
}

/** A directory with three servers, a workflow of two steps and an audit log of small files. */
function auditedDirectory(audit: object = {}): ConfigDirectory {
  const directory = createTestConfigDirectory();
  cleanUps.push(directory.remove);
  directory.config({
    audit: { file: 'logs/audit.log', maxBytes: 65_536, maxFiles: 100, ...audit },
    coreTools: { writes: 'none' },
  });
  for (const name of ['plain', 'watched', 'asking'] as const) directory.server(name, fixture(name));
  directory.workflow('twice', {
    steps: [
      { id: 'a', tool: 'x_plain_echo', args: { text: CANARY } },
      { id: 'b', tool: 'core_service_list' },
    ],
  });
  return directory;
}

const textsOf = (directory: ConfigDirectory): ReadonlyMap<string, string> => {
  const folder = join(directory.path, 'logs');
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  return new Map(readdirSync(folder).map((name) => [name, read(name)]));
};

const linesOf = (texts: Iterable<string>): readonly AuditLine[] =>
  [...texts].flatMap((text) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as AuditLine),
  );

/** Calls a tool of the endpoint without a session and waits for the answer. */
async function post(
  url: URL,
  call: { readonly name: string; readonly arguments?: object },
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const response = await fetch(new URL('/mcp', url), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
  });
  await response.text();
  return response.status;
}

const tool = (name: string, args: object = {}) => ({
  name: 'call_tool',
  arguments: { name, arguments: args },
});
const scoped = (toolset: string) => ({ 'x-gateway-toolset': toolset });

/** One call of each kind, with the part of its record that distinguishes the kind. */
const KINDS: readonly (readonly [
  call: { readonly name: string; readonly arguments?: object },
  record: object,
  headers?: Readonly<Record<string, string>>,
])[] = [
  [
    tool('x_plain_echo', { text: CANARY }),
    { name: 'x_plain_echo', server: 'plain', serverName: 'echo', outcome: 'ok' },
  ],
  [tool('x_plain_everything'), { name: 'x_plain_everything', outcome: 'error_result' }],
  [
    tool('x_plain_pid'),
    { name: 'x_plain_pid', reason: 'toolset:outside' },
    scoped('server:watched'),
  ],
  [tool('x_plain_pid'), { name: 'x_plain_pid', reason: 'toolset:malformed' }, scoped('files')],
  [
    tool('core_mcpserver_delete', { name: CANARY }),
    { name: 'core_mcpserver_delete', reason: 'coreTools.writes' },
  ],
  [tool('core_service_list'), { name: 'core_service_list', outcome: 'ok' }],
  [tool('workflow_twice'), { name: 'workflow_twice', outcome: 'ok' }],
  [tool('x_nothing'), { name: 'x_nothing', outcome: 'error_result' }],
  [
    { name: 'filter_tools', arguments: { query: CANARY } },
    { metaTool: 'filter_tools', outcome: 'ok' },
    scoped('preset:read-only'),
  ],
  [
    { name: 'get_resource', arguments: { uri: 'watched://clock' } },
    { metaTool: 'get_resource', name: 'watched://clock', server: 'watched', outcome: 'ok' },
  ],
  [
    { name: 'get_resource', arguments: { uri: 'watched://clock' } },
    { name: 'watched://clock', reason: 'toolset:outside' },
    scoped('server:plain'),
  ],
  [{ name: 'no_such_tool' }, { metaTool: 'no_such_tool', outcome: 'failed' }],
];

/** Calls that the gateway turns away without a reason in their records: no tool has the name. */
const TURNED_AWAY: ReadonlySet<string> = new Set([
  '{"name":"x_nothing","outcome":"error_result"}',
  '{"metaTool":"no_such_tool","outcome":"failed"}',
]);

const matches = (record: AuditLine, wanted: object): boolean =>
  record.parent === undefined &&
  Object.entries(wanted).every(([key, value]) => record[key] === value);

async function callAll(url: URL): Promise<void> {
  const caller = async (): Promise<void> => {
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [call, , headers] of KINDS) await post(url, call, headers);
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}

describe('the audit log', () => {
  it('has every call of 8 concurrent callers exactly once, over rotated files', async () => {
    const directory = auditedDirectory();
    const gateway = await startGateway(directory.path);
    await callAll(gateway.url);
    await gateway.stop();

    const texts = textsOf(directory);
    const records = linesOf(texts.values());
    expect(texts.size).toBeGreaterThan(3);
    expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
    const isTurnedAway = (wanted: object): boolean =>
      'reason' in wanted || TURNED_AWAY.has(JSON.stringify(wanted));
    const accepted = KINDS.filter(([, wanted]) => !isTurnedAway(wanted));
    for (const [, wanted] of accepted)
      expect([wanted, records.filter((record) => matches(record, wanted)).length]).toEqual([
        wanted,
        CALLERS * ROUNDS,
      ]);
    // Refusals beyond the budget of a caller are counted.
    const refused = records.filter(
      (record) =>
        record.parent === undefined && !accepted.some(([, wanted]) => matches(record, wanted)),
    );
    expect(refused.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(
      (KINDS.length - accepted.length) * CALLERS * ROUNDS,
    );
    expect(refused.length).toBeLessThan(1_000);
    const steps = records.filter(({ parent }) => parent !== undefined);
    const runs = records.filter(
      ({ name, parent }) => name === 'workflow_twice' && parent === undefined,
    );
    expect(steps).toHaveLength(2 * CALLERS * ROUNDS);
    expect(new Set(steps.map(({ parent }) => parent))).toEqual(new Set(runs.map(({ id }) => id)));
    expect(new Set(steps.map(({ run }) => run)).size).toBe(CALLERS * ROUNDS);

    for (const [name, text] of texts) {
      expect([name, text.length <= 65_536, text.includes(CANARY)]).toEqual([name, true, false]);
      expect(statSync(join(directory.path, 'logs', name)).mode & 0o777).toBe(0o600);
    }
    expect(new Set(records.map(({ peer }) => peer))).toEqual(new Set(['127.0.0.1']));
  });

  it('has cancelled calls and requests that the endpoint refused', async () => {
    const directory = auditedDirectory();
    const journal = join(directory.path, 'journal');
    directory.server('plain', fixture('plain', { env: { JOURNAL: journal } }));
    const gateway = await startGateway(directory.path);
    cleanUps.push(() => gateway.stop('SIGKILL'));
    const controller = new AbortController();
    const hanging = fetch(new URL('/mcp', gateway.url), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool('x_plain_hang') },
      }),
      signal: controller.signal,
    }).catch(() => undefined);
    await retryAssertion(() => {
      expect(readFileSync(journal, 'utf8')).toContain('hang');
    });
    controller.abort();
    await hanging;
    const foreign = { origin: 'https://attacker.example' };
    expect(await post(gateway.url, tool('x_plain_pid'), foreign)).toBe(403);
    await retryAssertion(() => {
      const records = linesOf(textsOf(directory).values());
      expect(records).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ name: 'x_plain_hang', outcome: 'cancelled' }),
          expect.objectContaining({
            decision: 'refused',
            reason: 'endpoint:origin-not-allowed',
            peer: '127.0.0.1',
          }),
        ]),
      );
    });
  });

  it('never stops calls while it cannot be written, and is written again', async () => {
    const directory = auditedDirectory();
    writeFileSync(join(directory.path, 'logs'), 'a file in place of the directory');
    const gateway = await startGateway(directory.path);
    cleanUps.push(() => gateway.stop('SIGKILL'));
    expect(await post(gateway.url, tool('x_plain_pid'))).toBe(200);
    await warned(gateway);
    rmSync(join(directory.path, 'logs'));
    mkdirSync(join(directory.path, 'logs'));
    await retryAssertion(() => {
      expect(linesOf(textsOf(directory).values())).toMatchObject([{ name: 'x_plain_pid' }]);
    });
    rmSync(join(directory.path, 'logs'), { recursive: true });
    expect(await post(gateway.url, tool('x_plain_echo'))).toBe(200);
    await retryAssertion(() => {
      expect(linesOf(textsOf(directory).values())).toMatchObject([{ name: 'x_plain_echo' }]);
    });
    expect(await lostOf(gateway)).toBe(0);
  });

  it('is on standard output with "-", one record for each line, and not over stdio', async () => {
    const directory = auditedDirectory({ file: '-' });
    const gateway = await startGateway(directory.path);
    await post(gateway.url, tool('x_plain_pid'));
    await gateway.stop();
    expect(linesOf(gateway.stdout)).toMatchObject([{ name: 'x_plain_pid', decision: 'allowed' }]);
    const { code, stderr } = await runGateway(['stdio', '--config-dir', directory.path]);
    expect([code, stderr]).toEqual([
      2,
      [
        'audit.file is "-": over stdio, standard output carries the protocol; set the path of a file',
      ],
    ]);
  });
});

const warned = (gateway: RunningGateway): Promise<void> =>
  retryAssertion(() => {
    expect(gateway.logs().map(({ msg }) => msg)).toContain(
      'the audit log cannot be written: its directory is not a directory; it is tried again',
    );
  });

async function lostOf({ url }: RunningGateway): Promise<number> {
  const text = await (await fetch(new URL('/metrics', url))).text();
  return Number(/^gateway_audit_records_lost_total (\d+)$/mu.exec(text)?.[1]);
}
