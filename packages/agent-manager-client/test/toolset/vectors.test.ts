import vectors from '@gateway/toolset-grammar/vectors/selectors.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { validateToolset } from '../../src/index.ts';

interface Vector {
  readonly id: string;
  readonly input: { readonly list?: readonly string[]; readonly header?: string };
  readonly accepted?: { readonly selectors: readonly { readonly text: string }[] };
  readonly refused?: { readonly code: string };
}

const formatIssue = (toolset: readonly string[]) => validateToolset(toolset, { isRequired: true });

/** The gateway's code for the refusal that is told here. */
const findSelectorErrorCode = (toolset: readonly string[]): string | undefined => {
  const problem = formatIssue(toolset);
  if (problem === undefined) return undefined;
  if (problem.startsWith('toolset is empty; ')) return 'toolset.empty';
  if (problem.startsWith('toolset has ')) return 'toolset.too-many';
  if (problem.includes(': the toolset: prefix is reserved ')) return 'toolset.reserved';
  if (problem.includes(': label: selectors are allowed inside presets only;'))
    return 'toolset.label';
  return problem.includes(' is not preset:<name>, ') ? 'toolset.malformed' : problem;
};

const all: readonly Vector[] = vectors.vectors;

/** Lists that the gateway accepts, trimmed as it reads them. */
const accepted = all.flatMap(({ id, accepted: outcome }) =>
  outcome === undefined ? [] : [{ id, toolset: outcome.selectors.map(({ text }) => text) }],
);

const trimmed = (text: string) => text.replace(/^[ \t]+|[ \t]+$/g, '');

const createListKind = ({ list, header }: Vector['input']): readonly string[] | undefined => {
  if (header === undefined) return list?.map(trimmed);
  return trimmed(header) === '' ? [] : header.split(',').map(trimmed);
};

const refuse = all.flatMap(({ id, input, refused: outcome }) => {
  const toolset = createListKind(input);
  return outcome === undefined || toolset === undefined
    ? []
    : [{ id, toolset, code: outcome.code }];
});

describe('the vectors of the inline grammar', () => {
  it('are of both kinds', () => {
    expect(accepted.length).toBeGreaterThan(60);
    expect(refuse.length).toBeGreaterThan(60);
  });
  it('accepts, without trimming, what the gateway accepts', () =>
    expect(accepted.filter(({ toolset }) => formatIssue(toolset) !== undefined)).toEqual([]));
  it('refuses for the same reason as the gateway', () =>
    expect(refuse.map(({ id, toolset }) => [id, findSelectorErrorCode(toolset)])).toEqual(
      refuse.map(({ id, code }) => [id, code]),
    ));
  it('refuses blanks around a selector, which the gateway trims', () => {
    const padded = accepted.flatMap(({ toolset: [first = '', ...rest] }) => [
      [` ${first}`, ...rest],
      [`${first}\t`, ...rest],
    ]);
    expect(new Set(padded.map(findSelectorErrorCode))).toEqual(new Set(['toolset.malformed']));
  });
});
