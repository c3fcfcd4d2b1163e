import { retryAssertion } from '@gateway/repo-checks';
import { describe, expect, it } from 'vitest';
// The programs of the benchmark are plain JavaScript.
// @ts-expect-error -- it has no declarations
import { numberText } from '../bench/performance/cells.mjs';
// @ts-expect-error -- it has no declarations
import { HELP, parseOptions } from '../bench/performance/options.mjs';
// @ts-expect-error -- it has no declarations
import { performancePage } from '../bench/performance/page.mjs';
// @ts-expect-error -- it has no declarations
import { cpuMsOf, rssMbOf } from '../bench/performance/process-usage.mjs';
// @ts-expect-error -- it has no declarations
import { withRun } from '../bench/performance/record.mjs';
// @ts-expect-error -- it has no declarations
import { runTable } from '../bench/performance/run-table.mjs';
// @ts-expect-error -- it has no declarations
import { median, ratiosOf, spreadOf } from '../bench/performance/statistics.mjs';

const optionsOf = parseOptions as (args: readonly string[]) => Record<string, unknown>;
const pageOf = performancePage as (runs: object) => string;
const tableOf = runTable as (run: object) => string;
const recordedWith = withRun as (recorded: object, run: object) => Record<string, Run>;

interface Figure {
  readonly row: string;
  readonly subject: string;
  readonly node: number;
  readonly rounds?: readonly number[];
  readonly no?: string;
}
interface Run {
  readonly subjects: readonly { readonly id: string }[];
  readonly figures: readonly Figure[];
  readonly nodes: readonly {
    readonly major: number;
    readonly version: string;
    readonly isInstalled?: boolean;
  }[];
}

const GATEWAY = { id: 'gateway', title: 'gateway', command: 'node dist/cli.js serve' };
const BARE = { id: 'bare', title: 'bare node', command: 'node bare-mcp.mjs' };
const PEER = {
  ...{ id: 'peer', title: 'a peer', command: 'peer --port <port>' },
  ...{ package: 'some-peer', version: '1.2.3', note: 'It starts one process for each session.' },
};

const FACTS = {
  ...{ date: '2026-11-23', commit: '0123456789ab', isChanged: false, seconds: 61 },
  command: 'npm run bench',
  times: { rounds: 5, ms: 1_000, rest: { rounds: 3, settleMs: 15_000, restMs: 30_000 } },
  groupSeconds: { start: 40 },
  machine: { cpu: 'a processor', cores: 2, memoryMb: 24_000, load: 0.2, os: 'linux 6.18' },
};

const runOf = (figures: readonly Figure[], subjects: readonly { id: string }[]): Run => ({
  ...FACTS,
  nodes: [
    { major: 20, version: '20.19.6', isInstalled: true },
    { major: 24, version: '24.21.0' },
  ],
  subjects,
  figures,
});

const OWN_FIGURES: readonly Figure[] = [20, 24].flatMap((node) => [
  { row: 'start-one-cpu', subject: 'gateway', node, rounds: [200, node * 10, 240] },
  { row: 'start-one-cpu', subject: 'bare', node, rounds: [50, 40, 48] },
  { row: 'describe', subject: 'gateway', node, rounds: [40, 39, 41] },
  { row: 'describe', subject: 'bare', node, rounds: [30, 30, 30] },
  { row: 'rest-one', subject: 'gateway', node, rounds: [0.04, 0.05, 0.06] },
  { row: 'rest-one', subject: 'bare', node, rounds: [0.001, 0.001, 0.001] },
]);
const PEER_FIGURES: readonly Figure[] = [
  { row: 'start-one-cpu', subject: 'peer', node: 24, rounds: [400, 440, 480] },
  { row: 'describe', subject: 'peer', node: 24, no: 'it has no meta-tools' },
  { row: 'rest-one', subject: 'peer', node: 24, rounds: [0.5, 0.5, 0.5] },
];
const OWN_RUN = runOf(OWN_FIGURES, [GATEWAY, BARE]);
const PEER_RUN = runOf([...OWN_FIGURES, ...PEER_FIGURES], [GATEWAY, BARE, PEER]);

describe('the statistics of the rounds', () => {
  it('gives the median, the least and the largest value', () => {
    expect((median as (values: number[]) => number)([4, 1, 3, 10])).toBe(3.5);
    expect((spreadOf as (values: number[]) => object)([7, 5, 30])).toEqual({
      median: 7,
      min: 5,
      max: 30,
    });
  });

  it('divides round by round, and not by nothing', () => {
    const ratios = ratiosOf as (a: number[], b: number[]) => number[] | undefined;
    expect(ratios([10, 30], [5, 10])).toEqual([2, 3]);
    expect(ratios([10, 30], [5, 0])).toBeUndefined();
    expect(ratios([10, 30], [5])).toBeUndefined();
  });

  it('shows the digits that count', () => {
    const text = numberText as (value: number) => string;
    expect([0.051, 9.876, 43.21, 432.1, 4_321].map(text)).toEqual([
      '0.05',
      '9.88',
      '43.2',
      '432',
      '4,321',
    ]);
  });
});

describe('the options of the benchmark', () => {
  it('runs all rows without options', () => {
    expect(optionsOf([])).toMatchObject({
      groups: ['start', 'rest', 'session', 'call', 'describe'],
      isWhole: true,
      peers: false,
      times: { rounds: 5, ms: 1_000, rest: { rounds: 3, settleMs: 15_000, restMs: 30_000 } },
    });
  });

  it('runs the named rows', () => {
    expect(optionsOf(['--rows', 'rest,start', '--rounds', '2', '--peers'])).toMatchObject({
      ...{ groups: ['start', 'rest'], isWhole: false, peers: true },
      times: { rounds: 2, rest: { rounds: 2 } },
    });
  });

  it('refuses what it does not know', () => {
    expect(() => optionsOf(['--quick'])).toThrow("Unknown option '--quick'");
    expect(() => optionsOf(['fast'])).toThrow("Unexpected argument 'fast'");
    expect(() => optionsOf(['--rows', 'start,sleep'])).toThrow(
      '--rows does not know "sleep": it knows start, rest, session, call, describe',
    );
    expect(() => optionsOf(['--rounds', '0'])).toThrow(
      '--rounds must be a whole number from 1 to 100, not 0',
    );
  });

  it('lists every option in its help', () => {
    expect(optionsOf(['--help'])).toEqual({ help: true });
    for (const option of ['rows', 'peers', 'rounds', 'ms', 'rest-seconds', 'node', 'json', 'dirty'])
      expect(HELP).toContain(`--${option} `);
  });
});

describe('the page and the table', () => {
  it('shows medians with their spread, ratios and goals for each Node apart', () => {
    const page = pageOf({ run: OWN_RUN });
    expect(page).toContain(
      '| start, one server of 100 tools: CPU | 250 ms | 200 ms (200–240) | 48.0 ms (40.0–50.0) | 5.00x | yes | ' +
        '240 ms (200–240) | 48.0 ms (40.0–50.0) | 5.00x | yes |',
    );
    expect(page).toContain('| `describe_tool`: CPU | 1.15x | 40.0 µs (39.0–41.0) |');
    expect(page).toContain('| 1.33x | no |');
    expect(page).toContain('2 cores, 23 GB of memory, linux 6.18; load average before the run 0.2');
    expect(page).toContain('- Command: `npm run bench`, 2 minutes');
    expect(page).toContain('- Node: 20.19.6 (installed by npm with this repository) and 24.21.0\n');
    expect(page).toContain(
      '- Rounds: 5 of each row, with stretches of 1 s for calls; at rest 3 stretches of 30 s, the first 15 s after the tools are complete\n',
    );
    expect(page).not.toContain('## Peers');
  });

  it('says when other programs ran on the machine', () => {
    const busy = { ...OWN_RUN, machine: { ...FACTS.machine, load: 1.1 } };
    expect(pageOf({ run: busy })).toContain('Other programs ran on the machine during this run');
    expect(pageOf({ run: OWN_RUN })).not.toContain('Other programs');
  });

  it('shows no ratio where the baseline takes almost nothing', () => {
    expect(pageOf({ run: OWN_RUN })).toContain(
      '| CPU at rest, 1 server | 0.10 % | 0.05 % (0.04–0.06) | 0.00 % (0.00–0.00) | – | yes |',
    );
  });

  it('gives the definition of every row, and the command that repeats it', () => {
    const page = pageOf({ run: OWN_RUN });
    expect(page).toContain('- opening a session: CPU. Processor time for `initialize` and');
    expect(page.match(/Command: `npm run bench -- --rows \w+`\./gu)).toHaveLength(5);
    expect(
      page.match(/Command: `npm run bench -- --rows start` \(40 s in this run\)\./gu),
    ).toHaveLength(2);
  });

  it('gives the reason of every goal', () => {
    const page = pageOf({ run: OWN_RUN });
    expect(page).toContain('- proxied call: CPU: 1.25x; bare Node parses');
    expect(page).not.toContain('undefined');
  });

  it('gives the reason for which a peer has no figure', () => {
    const page = pageOf({ run: OWN_RUN, peers: PEER_RUN });
    expect(page).toContain('- a peer, npm `some-peer` 1.2.3: `peer --port <port>`. It starts one');
    expect(page).toContain('- a peer, `describe_tool`: CPU: it has no meta-tools.');
    expect(page).toContain(
      '| 240 ms (200–240), 5.00x | 48.0 ms (40.0–50.0) | 440 ms (400–480), 10.0x |',
    );
  });

  it('exists before the first run', () => {
    expect(pageOf({})).toContain('No run is recorded.');
  });

  it('lays a run out as text', () => {
    const table = tableOf(PEER_RUN);
    expect(table).toMatch(/^describe_tool: CPU +20 +gateway +40\.0 µs .* 1\.33x +1\.15x +no$/mu);
    expect(table).toMatch(/^start, one server of 100 tools: CPU +24 +a peer +440 ms .* 10\.0x$/mu);
    expect(table).toMatch(/^a peer, `describe_tool`: CPU: it has no meta-tools\.$/mu);
  });
});

describe('the recorded runs', () => {
  it('keeps the peers of an earlier run', () => {
    const peers = recordedWith({}, PEER_RUN)['peers'];
    expect(recordedWith({ peers }, OWN_RUN)['peers']).toBe(peers);
    expect(recordedWith({}, OWN_RUN)).not.toHaveProperty('peers');
  });

  it('has the peers next to the gateway on the newer Node, and the gateway on both', () => {
    const { run, peers } = recordedWith({}, PEER_RUN);
    expect(run?.subjects.map(({ id }) => id)).toEqual(['gateway', 'bare']);
    expect(run?.figures).toHaveLength(12);
    expect(peers?.subjects.map(({ id }) => id)).toEqual(['gateway', 'bare', 'peer']);
    expect([...new Set(peers?.figures.map(({ node }) => node))]).toEqual([24]);
  });
});

describe('the usage of a process', () => {
  it('is read from the operating system', async () => {
    const cpuMs = cpuMsOf as (pid: number) => number;
    const rssMb = rssMbOf as (pid: number) => number;
    const before = cpuMs(process.pid);
    // The system adds what a running thread used at its next tick.
    await retryAssertion(() => {
      expect(cpuMs(process.pid)).toBeGreaterThan(before);
    });
    expect(rssMb(process.pid)).toBeGreaterThan(10);
  });
});
