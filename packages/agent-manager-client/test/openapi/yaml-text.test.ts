import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { openApiDocument } from '../../src/openapi/open-api-document.ts';
import { openApiYaml } from '../../src/openapi/open-api-yaml.ts';
import { yamlText } from '../../src/openapi/yaml-text.ts';

describe('YAML of JSON values', () => {
  it('is readable text', () =>
    expect(
      yamlText({
        title: 'a: b',
        about: 'one line, "as it is": [no] quotes # needed?',
        plain: 'one line, "as it is", [no] quotes#needed',
        text: 'two\n\nlines\n',
        list: ['preset:none', { a: 1, b: [] }, [true, 'true'], {}],
        '1st': null,
        no: '',
      }),
    ).toBe(`title: "a: b"
about: "one line, \\"as it is\\": [no] quotes # needed?"
plain: one line, "as it is", [no] quotes#needed
text: |
  two

  lines
list:
  - preset:none
  - a: 1
    b: []
  - - true
    - "true"
  - {}
"1st": null
"no": ""
`));

  it('is parsed as its value', () => {
    const text = fc.oneof(
      fc.string({
        unit: fc.constantFrom(...Array.from(' \n:#-|>"\'[]{}&*!%@`,?~\\\tay0.=\u0085\u2028é')),
      }),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('no', 'Null', '1e3', '0x1f', '2026-01-15', '.5', '---', '...', '<<', '='),
    );
    const leaf = fc.oneof(text, text, fc.double({ noNaN: true, noDefaultInfinity: true }));
    const list = fc.array(leaf, { maxLength: 3 });
    const object = fc.dictionary(text, leaf, { maxKeys: 3, noNullPrototype: true });
    const nested = fc.tuple(list, object, fc.tuple(object, fc.tuple(list)), fc.record({ list }));
    fc.assert(
      fc.property(nested, (given) => {
        // As JSON, which has no negative zero.
        const json = JSON.parse(JSON.stringify(given)) as object;
        expect(parse(yamlText(json), { maxAliasCount: 0 })).toEqual(json);
      }),
      { numRuns: 80 },
    );
  });

  it('of the document is the document', () => {
    const options = { version: '0.4.0' };
    expect(parse(openApiYaml(options))).toEqual(openApiDocument(options));
  });
});
