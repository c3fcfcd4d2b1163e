import { describe, expect, it } from 'vitest';
import { requirement } from '../requirement.ts';
import { templateTexts } from '../harness/template-texts.ts';

const VERDICT = `{{- if not (include "agent-platform.isVersionRange" .Values.range) -}}
no range
{{- else -}}
{{- include "agent-platform.admittedBelow" (dict "range" .Values.range "floor" "5.12.0") -}}
{{- end -}}`;

/** Ranges by the version below 5.12.0 in the refusal; `''` without a refusal. */
const RANGES_BY_VERDICT: Readonly<Record<string, string>> = {
  '': '>=5.12.0 <6.0.0; >=5.12.0, <6.0.0; >= 5.12.0; =>5.12.0; =5.12.0; 5.12.0; v5.12.0; 5.12.0+build.7; >5.11; >5.11.x; >5; 5.12; 5.12.x; ~5.12; ~5.12.3; ^5.12.0; ^6; 5.12.0 - 5.14; >=5.13.0 || ^6.0.0; >=5.12.0 !=5.12.1; >=5.12.0 <6.0.0-0; 5.13.0-rc.1; >=5.13.0-0',
  '0.0.0': '*; x; <6.0.0; <=5.12.0; !=5.11.0',
  '0.0.2': '!=0.0.0 !=0.0.1 <0.0.3',
  '5.0.0': '5; 5.x; 5.*.*; ~5; ^5; 5 - 6',
  '5.11.0': '5.11.x; v5.11.0; 5.11.0+build.7; ^5.11.0; 5.11 - 5.14; 5.11.0 || >=5.13.0',
  '5.11.1': '>5.11.0',
  '5.11.9': '~> 5.11.9',
  '5.11.100': '>5.11.99',
  '5.11.4': '>=5.12.0 || 5.11.4',
  '5.9.0': '<5.13.0 >=5.12.0 || 5.9.*',
  '5.12.0-0': '>=5.12.0-0',
  '5.12.0-rc.1': '>=5.12.0-rc.1 <6.0.0; 5.12.0-rc.1; >5.12.0-rc.1 <5.12.0',
  'no range':
    ';    ; latest; >=5.12.0 <; >=5.12.0 && <6; >=5.12.0<6.0.0; >=5.12.0 <6.0.0 ||; || 5.12.0; >=05.12.0; >=5.12.0.1; 5.12.0-01; 5.12.0\n; 99999999999.0.0; ^5.12.0 - 6; >=5.12.0 5.13.0 - 5.14.0',
};
const RANGES = Object.entries(RANGES_BY_VERDICT).flatMap(([verdict, ranges]) =>
  ranges.split('; ').map((range) => [range, verdict] as const),
);

const OPERATORS = ['', '>', '>=', '<', '<=', '!=', '~', '^'];
const VERSIONS = ['*', '4', '5', '5.x', '5.11', '5.11.3', '5.11.99', '5.12.0', '5.12.1', '6.0.0'];
const PIECES = OPERATORS.flatMap((operator) => VERSIONS.map((version) => operator + version));

/** Every piece alone, narrowed by others, or widened. */
const GENERATED_RANGES = PIECES.flatMap((piece, at) => {
  const other = PIECES[(at * 7 + 3) % PIECES.length] ?? '';
  const third = PIECES[(at * 11 + 5) % PIECES.length] ?? '';
  return [piece, at % 2 === 0 ? `${piece} ${other}` : `${piece}, ${third} || ${other} ${third}`];
});

const BELOW = [0, 1, 3, 4, 5].flatMap((major) =>
  [0, 1, 10, 11].flatMap((minor) => [0, 3, 4, 100].map((patch) => [major, minor, patch].join('.'))),
);

/** The verdict, and whether the range admits any of the versions below the floor. */
const BOTH = `${VERDICT};
{{- $range := .Values.range -}}
{{- if include "agent-platform.isVersionRange" $range -}}
{{- range .Values.versions }}{{ if semverCompare $range . }}{{ . }} {{ end }}{{ end -}}
{{- end -}}`;

describe('versions below the floor', async () => {
  const ranges = [...RANGES.map(([range]) => range), ...GENERATED_RANGES];
  const texts = await templateTexts(
    'agent-platform',
    BOTH,
    ranges.map((range) => ({ range, versions: BELOW })),
  );
  const found = texts.map((text) => text.split(';'));

  requirement('9.2/fleet-3.11.0', () => {
    it('finds a version in every range that admits one, and none in other ranges', () => {
      expect(RANGES.map(([range], at) => [range, found[at]?.[0]])).toEqual(RANGES);
    });
  });

  it('finds every version that Helm admits in generated ranges', () => {
    const made = found.slice(RANGES.length);
    const missed = GENERATED_RANGES.filter((_, at) => made[at]?.[0] === '' && made[at][1] !== '');
    expect(missed).toEqual([]);
    expect(made.filter(([verdict]) => verdict === '').length).toBeGreaterThan(20);
    expect(made.filter(([verdict]) => verdict === 'no range')).toEqual([]);
  });
});
