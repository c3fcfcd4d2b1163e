import { expect, it } from 'vitest';
import { runForResult } from '../harness/program-result.ts';

interface Run {
  readonly date: string;
  readonly nodes: readonly { readonly major: number }[];
  readonly figures: readonly { row: string; subject: string; rounds: readonly number[] }[];
}

const ROWS = ['rest-one', 'rss-one', 'rest-many', 'rss-many', 'session', 'describe'];

it('measures rows of the benchmark and writes their figures', async () => {
  const rows = ['--rows', 'rest,session,describe', '--rounds', '1', '--ms', '100'];
  const program = ['bench/performance.mjs', ...rows, '--rest-seconds', '1'];
  const { code, stdout, result } = await runForResult<Run>(program);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^describe_tool: CPU +\d+ +gateway +[\d.,]+ µs .*x +1\.15x/mu);
  expect(result.date).toMatch(/^\d{4}-\d\d-\d\d$/u);
  expect(result.nodes).toHaveLength(1);
  for (const subject of ['gateway', 'bare']) {
    const own = result.figures.filter((figure) => figure.subject === subject);
    expect(own.map(({ row }) => row)).toEqual(ROWS);
    for (const { row, rounds } of own)
      expect(rounds, row).toEqual([expect.toSatisfy((value: number) => value >= 0)]);
  }
});
