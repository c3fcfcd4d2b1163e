import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TEMPLATE_FUNCTIONS } from '../../src/syntax/function-arities.ts';
import { parsePath } from '../../src/syntax/parse-path.ts';
import type { JsonValue } from '../../src/values/json-value.ts';
import { parseValue } from '../../src/value-templates/value-template.ts';
import { renderParsed } from './render-parsed.ts';
import { anyJson, fc } from '../fast-check.ts';

const packages = resolve(import.meta.dirname, '../../..');

const sourcesOf = (name: string): readonly string[] =>
  readdirSync(join(packages, name, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(packages, name, 'src', file));

const withoutComments = (code: string): string =>
  code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');

/** Everything by which a text becomes code. */
const CODE_MAKERS =
  /\beval\s*\(|\bnew\s+Function\b|\bFunction\s*\(|\bimport\s*\(|\brequire\s*\(|['"](?:node:)?(?:vm|module|child_process|worker_threads)['"]|\bWebAssembly\b|\.constructor\b|['"]eta['"]/;

const limits = { maxBytes: 100_000, maxSteps: 20_000, now: () => 0 };
const input: JsonValue = {
  code: 'globalThis.poisoned()',
  fn: 'constructor',
  list: [1, 2],
  map: { a: 1 },
  text: 'text',
};
const data = { input, results: {}, vars: {}, context: {} };

const ESCAPES = [
  '{{ .constructor.constructor "return 1" }}',
  '{{ .input.constructor }}',
  '{{ .input.list.constructor.constructor }}',
  '{{ (.input.text).constructor }}',
  '{{ .input["__proto__"]["polluted"] }}',
  '{{ index .input "__proto__" "constructor" }}',
  '{{ index .input .input.fn }}',
  '{{ get .input "constructor" }}',
  '{{ dig "__proto__" "toString" "none" .input }}',
  '{{ $x := set (dict) "__proto__" (dict "polluted" 1) }}{{ $x.polluted }}',
  '{{ merge (dict) (fromJson "{\\"__proto__\\":{\\"polluted\\":1}}") }}',
  '{{ set .input "__proto__" .input.map }}',
  '{{ eval "1" }}',
  '{{ Function "return 1" }}',
  '{{ import "node:fs" }}',
  '{{ require "fs" }}',
  '{{ process.env }}',
  '{{ env "HOME" }}',
  '{{ this.constructor }}',
  '<%= 1 + 1 %><% globalThis.poisoned() %>',
  '{{ `${globalThis.poisoned()}` }}',
  '{{ .input.code }}',
  '{{ print "\\u0022+globalThis.poisoned()+\\u0022" }}',
  '{{ regexReplaceAll "(.*)" .input.code "${1}" }}',
  '{{ printf "%v" .constructor }}',
  '{{ define "__proto__" }}x{{ end }}{{ template "__proto__" }}',
  '{{ template "constructor" . }}',
  '{{ $constructor := 1 }}{{ $constructor.constructor }}',
  '{{ range $k, $v := . }}{{ $v.__proto__ }}{{ end }}',
  '{{ toString .constructor }}',
  '{{ .toString }}',
  '{{ len .input.list.length }}',
];

const HOSTILE_PATHS = [
  '$[?(globalThis.poisoned())]',
  '$..[?(@.constructor.constructor("return 1")())]',
  '$[(globalThis.poisoned())]',
  '$.list[(@.length-1)]',
  '$.a[?(@property.constructor)]',
  '$[?(this.process.exit())]',
  '$.`constructor',
  '$.list^',
  '$.map~',
  '$.list@object()',
];

const WORDS =
  '. $ $x .input .input.list .input.map .input.text .input.code .constructor .__proto__ ["__proto__"] "constructor" "__proto__" "(?:a+)+$" "%s%v%d" 1 -1 1e308 true nil ( ) | := = ,';
const BLOCKS =
  '{{| {{ end }}{{|{{ if|{{ range|{{ with|{{ else }}{{|{{ break }}{{|{{ define "t" }}{{|{{ template "t" . }}{{';
const word = fc.constantFrom(
  ...Object.keys(TEMPLATE_FUNCTIONS),
  ...WORDS.split(' '),
  ...BLOCKS.split('|').map((block) => `}}${block}`),
);

const anyTemplate = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.array(word, { maxLength: 12 }).map((words) => `{{ ${words.join(' ')} }}`),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...Object.keys(TEMPLATE_FUNCTIONS)), fc.array(word, { maxLength: 4 }))
      .map(([name, args]) => `{{ ${name} ${args.join(' ')} }}`),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }).map((text) => `{{${text}}}`) },
  { weight: 1, arbitrary: fc.string().map((text) => `{{ ${text} }}{{ end }}`) },
);

const render = (template: string) => renderParsed(parseValue(template), data, limits);

describe('the sources', () => {
  it.each(['crd-schemas', 'go-template', 'workflow-engine'])(
    'of %s make no code out of text',
    (name) => {
      const files = sourcesOf(name);
      expect(files.length).toBeGreaterThan(20);
      const makers = files.filter((file) =>
        CODE_MAKERS.test(withoutComments(readFileSync(file, 'utf8'))),
      );
      expect(makers).toEqual([]);
    },
  );

  it.each([
    'eval("1")',
    'new Function("x")',
    'Function("x")',
    'await import(x)',
    "from 'node:vm'",
    'x.constructor',
  ])('would be caught with %s', (code) => {
    expect(CODE_MAKERS.test(code)).toBe(true);
  });
});

describe('while every way from text to code is poisoned', () => {
  const calls: string[] = [];
  const restore: (() => void)[] = [];

  const poison = (owner: object, key: string, name: string): void => {
    const before = Object.getOwnPropertyDescriptor(owner, key);
    Object.defineProperty(owner, key, {
      configurable: true,
      writable: true,
      value: function poisoned(): never {
        calls.push(name);
        throw new Error(`${name} was reached`);
      },
    });
    restore.push(() => {
      if (before === undefined) Reflect.deleteProperty(owner, key);
      else Object.defineProperty(owner, key, before);
    });
  };

  beforeEach(() => {
    calls.length = 0;
    const { Module } = createRequire(import.meta.url)('node:module') as { Module: object };
    const kinds = [() => 0, async () => 0, function* () {}, async function* () {}];
    for (const kind of kinds) {
      const prototype = Object.getPrototypeOf(kind) as object;
      poison(prototype, 'constructor', `constructor of ${kind.constructor.name}`);
    }
    poison(globalThis, 'eval', 'eval');
    poison(globalThis, 'Function', 'Function');
    poison(globalThis, 'poisoned', 'code of a template');
    poison(Module, '_load', 'the module loader');
  });

  afterEach(() => {
    while (restore.length > 0) restore.pop()?.();
  });

  it('no hostile template reaches one', () => {
    for (const template of ESCAPES) render(template);
    expect(calls).toEqual([]);
  });

  it('no function with a hostile argument reaches one', () => {
    for (const name of Object.keys(TEMPLATE_FUNCTIONS)) {
      const inputs = ['.', '.input', '.input.code', '.input.list'];
      for (const argument of [...inputs, '"constructor"', '"__proto__"', '1']) {
        for (const count of [0, 1, 2, 3]) {
          render(`{{ ${name} ${`${argument} `.repeat(count)}}}`);
        }
      }
    }
    expect(calls).toEqual([]);
  });

  it('no hostile path reaches one', () => {
    for (const path of HOSTILE_PATHS) {
      const parsed = parsePath(path);
      expect(parsed.ok ? parsed.value : parsed.error, path).toBeTypeOf('string');
    }
    expect(calls).toEqual([]);
  });

  it('3,000 made-up templates reach none, and each gives a value or a text', () => {
    fc.assert(
      fc.property(anyTemplate, (template) => {
        const rendered = render(template);
        if (rendered.ok) expect(JSON.stringify(rendered.value)).toBeTypeOf('string');
        else expect(rendered.error).toBeTypeOf('string');
      }),
      { numRuns: 3000 },
    );
    expect(calls).toEqual([]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

const listWords = (value: unknown): string => JSON.stringify(value);

describe('any template over any data', () => {
  it('gives a value that is JSON, or a text', () => {
    fc.assert(
      fc.property(anyTemplate, anyJson, (template, value) => {
        const rendered = renderParsed(parseValue([template]), { ...data, input: value }, limits);
        if (!rendered.ok) expect(rendered.error).toMatch(/^\[0\]: line \d+, column \d+: ./);
        else
          expect(listWords(JSON.parse(JSON.stringify(rendered.value)))).toBe(
            listWords(rendered.value),
          );
      }),
      { numRuns: 2000 },
    );
  });
});

describe('names that every object has', () => {
  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'])(
    '%s leads nowhere',
    (name) => {
      expect(render(`{{ .input.${name} }}`).ok).toBe(false);
      expect(render(`{{ .input.map["${name}"] }}`).ok).toBe(false);
      expect(render(`{{ index .input.map "${name}" }}`).ok).toBe(false);
      expect(render(`{{ .input.list.${name} }}`).ok).toBe(false);
      expect(render(`{{ .input.text.${name} }}`).ok).toBe(false);
    },
  );

  it.each(['constructor', '__proto__', 'toString'])(
    '%s is a key like any other where the data have it',
    (name) => {
      const own = { ...data, input: JSON.parse(`{"${name}":{"length":5}}`) as JsonValue };
      expect(renderParsed(parseValue(`{{ .input.${name}.length }}`), own, limits)).toEqual({
        ok: true,
        value: 5,
      });
    },
  );

  it('leave Object.prototype as it is', () => {
    for (const template of ESCAPES) render(template);
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
