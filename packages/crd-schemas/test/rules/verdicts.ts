import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { ResourceKind } from '../../src/index.ts';

/** A spec and the lines that refuse it; none when it is valid. */
export interface Verdict {
  readonly title: string;
  readonly spec: unknown;
  readonly refused: readonly string[];
  /** The rule outside CEL that refuses it. */
  readonly outside: string | undefined;
}

const OUTSIDE = '  outside CEL: ';

const verdictOf = (block: readonly [string, ...string[]]): Verdict => {
  const [title, ...below] = block;
  return {
    title,
    spec: parse(title) as unknown,
    refused: below.filter((line) => !line.startsWith(OUTSIDE)).map((line) => line.trim()),
    outside: below.find((line) => line.startsWith(OUTSIDE))?.slice(OUTSIDE.length),
  };
};

/**
 * Reads a table of verdicts. A line that starts with `{` is a spec in YAML; the lines indented below it refuse it; `#` is a
 * heading.
 */
export const verdictsOf = (kind: ResourceKind): readonly Verdict[] => {
  const file = new URL(`verdicts/${kind.toLowerCase()}.verdicts`, import.meta.url);
  const blocks: [string, ...string[]][] = [];
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line.startsWith('{')) blocks.push([line]);
    else if (line.startsWith('  ')) blocks.at(-1)?.push(line);
    else if (line !== '' && !line.startsWith('# ')) throw new Error(`no verdict: ${line}`);
  }
  return blocks.map(verdictOf);
};
