import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';

const BENCH = resolve(import.meta.dirname, '../../bench/performance.mjs');
const folder = mkdtempSync(join(tmpdir(), 'performance-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Run {
  readonly date: string;
  readonly nodes: readonly { readonly major: number }[];
  readonly figures: readonly { row: string; subject: string; rounds: readonly number[] }[];
}

it('measures rows of the benchmark and writes their figures', async () => {
  const json = join(folder, 'figures.json');
  const rows = ['--rows', 'rest,session,describe', '--rounds', '1', '--ms', '100'];
  const args = [BENCH, ...rows, '--rest-seconds', '1', '--json', json];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toMatch(/^describe_tool: CPU +\d+ +gateway +[\d.,]+ µs .*x +1\.15x/mu);
  const { date, nodes, figures } = JSON.parse(readFileSync(json, 'utf8')) as Run;
  expect(date).toMatch(/^\d{4}-\d\d-\d\d$/u);
  expect(nodes).toHaveLength(1);
  for (const subject of ['gateway', 'bare']) {
    const own = figures.filter((figure) => figure.subject === subject);
    expect(own.map(({ row }) => row)).toEqual([
      'rest-one',
      'rss-one',
      'rest-many',
      'rss-many',
      'session',
      'describe',
    ]);
    for (const { row, rounds } of own)
      expect(rounds, row).toEqual([expect.toSatisfy((value: number) => value >= 0)]);
  }
});
