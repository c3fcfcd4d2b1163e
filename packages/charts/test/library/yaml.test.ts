import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { CHARTS } from '../../src/assemble-charts.ts';
import { chartFiles } from '../harness/chart-files.ts';
import { templateTexts } from '../harness/template-texts.ts';

/** The text, and the text that Helm reads from it; quoted for transport. */
const BODY = `{{- $text := include "library.yaml" .Values.given -}}
{{- printf "%q" (dict "text" $text "read" (printf "is:%s\\n" ($text | nindent 2) | fromYaml) | toJson) -}}`;

/** Texts that `toYaml` does not preserve, and similar texts that it preserves. */
const TEXTS = [
  ...['a\u2028b', 'a\u2029  b\nc', '\u2028', 'a\u0085b', 'a\u0080b', 'a\u007fb', '\ufeffa'],
  ...['a\uffff', 'a\n\n', '\n\n', 'a\n', '\n', 'a: b\n---\n- c\n\n\n', '  a\n b\n\n  c'],
  ...['a\r\nb\r\n', '', ' a ', '{{ .Values }}', 'true', '1e3', '~', '🦊', '👩‍💻', '\\u2028', '|+'],
  ...["it's", '"', '\t', '<&>', '%s'],
];

/** Positions of a text, including the end of the document. */
const PLACES: readonly ((text: string) => unknown)[] = [
  (text) => ({ last: text }),
  (text) => ({ [`k${text}`]: 1, z: [1.5, 86_400_000, true, null, {}, []] }),
  (text) => [{ name: 'a', deep: [{ value: text }] }, 65_532, text],
];

const readBack = (result: string): { readonly text: string; readonly read: unknown } =>
  JSON.parse(parse(result) as string) as { text: string; read: unknown };

describe('the YAML of values', () => {
  it('preserves every text for Helm and for readers of YAML 1.1 and 1.2', async () => {
    const cases = TEXTS.flatMap((text) => PLACES.map((place) => ({ given: place(text) })));
    const results = await templateTexts('gateway', BODY, cases);
    expect(results).toHaveLength(cases.length);
    results.forEach((result, at) => {
      const { text, read } = readBack(result);
      const given = cases[at]?.given;
      expect({ given, read }).toEqual({ given, read: { is: given } });
      for (const version of ['1.1', '1.2'] as const)
        expect({ version, text, read: parse(`${text}\n`, { version }) as unknown }).toEqual({
          version,
          text,
          read: given,
        });
    });
  });

  it('is used by all templates instead of toYaml', async () => {
    // The chart agent has no dependency and has its own template.
    const charts = CHARTS.filter((chart) => chart !== 'agent');
    const files = await Promise.all(
      charts.map(async (chart) =>
        (await chartFiles(chart)).map(({ path, text }) => ({ path: `${chart}/${path}`, text })),
      ),
    );
    const bare = files
      .flat()
      .filter(({ path, text }) => path.includes('/templates/') && /\btoYaml\b/u.test(text))
      .map(({ path }) => path);
    expect(bare).toEqual(['library/templates/_yaml.tpl']);
  });
});
