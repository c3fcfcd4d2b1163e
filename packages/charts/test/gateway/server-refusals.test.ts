import { expect, it } from 'vitest';
import { templateTexts } from '../harness/template-texts.ts';

it.each([
  ['secretKeyRef', 'Secret', 'secretFiles'],
  ['configMapKeyRef', 'ConfigMap', 'configMapFiles'],
])(
  'refuses a value of %s that no file provides, unless it is optional',
  async (field, kind, files) => {
    const optional = { name: 'C', [field]: { name: 'api', key: 'other', optional: true } };
    const present = { name: 'B', [field]: { name: 'api', key: 'token' } };
    const absent = { name: 'D', [field]: { name: 'api', key: 'other' } };
    const wiki = { type: 'sse', url: 'http://wiki:8080/mcp' };
    const specs = [
      { ...wiki, headersFrom: [present, optional] },
      { ...wiki, headersFrom: [present, absent] },
      { ...wiki, tools: [{ pattern: '*' }, { name: 'a', defaultsFrom: [absent] }] },
    ];
    expect(
      await templateTexts(
        'gateway',
        '{{ include "gateway.problem" . }}',
        specs.map((spec) => ({
          mcpservers: { wiki: { spec } },
          secretFiles: [{ secret: 'api', keys: ['token'] }],
          configMapFiles: [{ configMap: 'api', keys: ['token'] }],
        })),
      ),
    ).toEqual([
      '',
      `mcpservers.wiki.spec.headersFrom[1].${field} needs the key "other" of the ${kind} "api": add both to ${files}`,
      `mcpservers.wiki.spec.tools[1].defaultsFrom[0].${field} needs the key "other" of the ${kind} "api": add both to ${files}`,
    ]);
  },
);
