import { type ConfigDirectory } from '@gateway/repo-checks';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixture } from '../../harness/fixture.ts';
import { runGateway, startGateway } from '../../harness/gateway.ts';
import { testDirectory } from '../../harness/lifetime.ts';
import { rpcOf, toolCallOf, postMessage } from '../../harness/mcp-posts.ts';

const CANARY = 'canary-4f1c';
const CALLERS = 8;
const ROUNDS = 25;

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
  const directory = testDirectory();
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
      for (const [call, , headers] of KINDS)
        await postMessage(url, rpcOf('tools/call', call), { ...(headers && { headers }) });
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

  it('is on standard output with "-", one record for each line, and not over stdio', async () => {
    const directory = auditedDirectory({ file: '-' });
    const gateway = await startGateway(directory.path);
    await postMessage(gateway.url, toolCallOf('x_plain_pid'));
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
