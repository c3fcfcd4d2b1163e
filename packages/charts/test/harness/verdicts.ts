import { readFileSync } from 'node:fs';
import type { ResourceKind } from '@gateway/crd-schemas';
import { parse } from 'yaml';

/** A spec and the lines with which the gateway refuses it, the first line first; none when it is valid. */
export interface Verdict {
  readonly title: string;
  readonly spec: object;
  readonly refused: readonly string[];
  readonly isOutsideCel: boolean;
}

const FOLDER = '../../../crd-schemas/test/rules/verdicts';

/** Reads the table that the gateway and the API server are compared by in `crd-schemas`, one document a line. */
export const verdictsOf = (kind: ResourceKind): readonly Verdict[] => {
  const file = new URL(`${FOLDER}/${kind.toLowerCase()}.verdicts`, import.meta.url);
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => {
      const [, title = '', refused, outside] =
        /^(\{.*?\})(?: => (.*?))?(?: \[([a-z-]+)\])?$/.exec(line) ?? [];
      return {
        title,
        spec: parse(title) as object,
        refused: refused?.split(' & ') ?? [],
        isOutsideCel: outside !== undefined,
      };
    });
};
