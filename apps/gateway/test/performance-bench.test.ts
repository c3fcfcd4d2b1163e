import { describe, expect, it } from 'vitest';
// The programs of the benchmark are plain JavaScript.
// @ts-expect-error -- it has no declarations
import { parseOptions } from '../bench/performance/options.mjs';
// @ts-expect-error -- it has no declarations
import { performancePage } from '../bench/performance/page.mjs';

const optionsOf = parseOptions as (args: readonly string[]) => Record<string, unknown>;
const pageOf = performancePage as (run: object, previous: string) => string;

const figure = (row: string, subject: string, rounds: readonly number[]) => ({
  ...{ row, subject, rounds, node: 24 },
});

const RUN = {
  ...{ date: '2026-11-23', commit: '0123456789ab', isChanged: false, seconds: 61 },
  command: 'npm run bench',
  times: { rounds: 3, ms: 1_000, rest: { rounds: 3, settleMs: 15_000, restMs: 30_000 } },
  groupSeconds: { start: 40 },
  machine: { cpu: 'a processor', cores: 2, memoryMb: 24_000, load: 0.2, os: 'linux 6.18' },
  nodes: [{ major: 24, version: '24.21.0' }],
  subjects: [
    { id: 'gateway', title: 'gateway', command: 'node dist/cli.js serve' },
    { id: 'bare', title: 'bare node', command: 'node bare-mcp.mjs' },
  ],
  figures: [
    figure('start-one-cpu', 'gateway', [200, 240, 280]),
    figure('start-one-cpu', 'bare', [50, 40, 40]),
    figure('rest-one', 'gateway', [0.04, 0.05, 0.06]),
    figure('rest-one', 'bare', [0, 0.001, 0.001]),
  ],
};

const WITH_PEER = {
  ...RUN,
  subjects: [
    ...RUN.subjects,
    { id: 'peer', title: 'a peer', package: 'some-peer', version: '1.2.3', command: 'peer' },
  ],
  figures: [
    ...RUN.figures,
    figure('start-one-cpu', 'peer', [400, 440, 480]),
    { row: 'rest-one', subject: 'peer', node: 24, no: 'it does not rest' },
  ],
};

describe('the benchmark', () => {
  it('writes medians with their spread, ratios where the baseline is large enough, and goals', () => {
    const page = pageOf(RUN, '');
    expect(page).toContain(
      '| start, 1 server: CPU | 250 ms | 240 ms (200–280) | 40.0 ms (40.0–50.0) | 6.00x | yes |',
    );
    expect(page).toContain('| 0.10 % | 0.05 % (0.04–0.06) | 0.00 % (0.00–0.00) | – | yes |');
    expect(page).not.toContain('undefined');
    expect(page).not.toContain('## Peers');
  });

  it('writes peers with the reasons for missing figures, and keeps them in a run without peers', () => {
    const page = pageOf(WITH_PEER, '');
    expect(page).toContain('| 440 ms (400–480), 11.0x |');
    expect(page).toContain('- a peer, CPU at rest, 1 server: it does not rest.');
    expect(pageOf(RUN, page).split('## Peers')[1]).toBe(page.split('## Peers')[1]);
  });

  it('refuses unknown rows', () => {
    expect(() => optionsOf(['--rows', 'start,sleep'])).toThrow('--rows does not know "sleep"');
  });
});
