import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { ResourceKind } from '../../src/index.ts';

/** A spec and the lines that refuse it; none when it is valid. */
export interface Verdict {
  readonly title: string;
  /** The heading of its section: a text, ids of requirements, or both. */
  readonly heading: string;
  readonly spec: unknown;
  readonly refused: readonly string[];
  /** The rule outside CEL that refuses it. */
  readonly outside: string | undefined;
}

const parseVerdict = (heading: string, line: string): Verdict => {
  const [, title = '', refused, outside] =
    /^(\{.*?\})(?: => (.*?))?(?: \[([a-z-]+)\])?$/.exec(line) ?? [];
  const spec = parse(title) as unknown;
  return { title, heading, spec, refused: refused?.split(' & ') ?? [], outside };
};

/**
 * Reads a table of verdicts. A line is a spec in YAML, ` => ` and the problems that refuse it, separated by ` & `, and the rule
 * outside CEL in brackets; `#` is a heading.
 */
export const verdictsOf = (kind: ResourceKind): readonly Verdict[] => {
  const file = new URL(`verdicts/${kind.toLowerCase()}.verdicts`, import.meta.url);
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split(/^# /m)
    .slice(1)
    .flatMap((section) => {
      const [heading = '', ...lines] = section.trimEnd().split('\n');
      return lines.map((line) => parseVerdict(heading, line));
    });
};
