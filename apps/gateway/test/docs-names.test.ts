import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { REMOTE_STATES, STDIO_STATES } from '@gateway/crd-schemas';
import { EVENT_REASONS } from '@gateway/events';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { METRICS } from '@gateway/gateway-runtime';
import { CONFIG_KEYS } from './harness/config-keys.ts';
import { REPOSITORY } from './harness/example-copy.ts';
import { anchorsOf, codeSpans, linksOf, tableRows } from './harness/markdown.ts';

const read = (page: string) => readFileSync(join(REPOSITORY, page), 'utf8');
const PAGES = [
  'README.md',
  ...['docs', 'docs/tutorials'].flatMap((folder) =>
    readdirSync(join(REPOSITORY, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
];
const OPERATIONS = read('docs/operations.md');
const SERVERS = read('docs/servers.md');
const TROUBLESHOOTING = read('docs/troubleshooting.md');

/** Returns the words of this form in code on all pages, each with its page. */
const named = (form: RegExp): readonly (readonly [string, string])[] => {
  const found = PAGES.flatMap((page) =>
    codeSpans(read(page)).flatMap((span) =>
      [...span.matchAll(form)].map(([word]) => `${word}\t${page}`),
    ),
  );
  return [...new Set(found)].map((one) => one.split('\t') as [string, string]);
};

/** Those of them that are not known. */
const strangers = (form: RegExp, known: ReadonlySet<string>): readonly string[] => {
  const words = named(form);
  expect(words.length).toBeGreaterThan(0);
  return words.filter(([word]) => !known.has(word)).map((one) => one.join(' in '));
};

const sourcesOf = (folder: string): string =>
  readdirSync(join(REPOSITORY, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => read(join(folder, file)))
    .join('\n');

const wordsIn = (text: string, form: RegExp): ReadonlySet<string> =>
  new Set([...text.matchAll(form)].map(([, word = '']) => word));

const CORE_TOOLS = wordsIn(sourcesOf('packages/core-tools/src'), /name: '(core_\w+)'/gu);

/** The keys of `config.yaml`, and the groups that contain them. */
const KEYS_AND_GROUPS = new Set(
  CONFIG_KEYS.flatMap(({ key }) => [key, key.slice(0, Math.max(0, key.lastIndexOf('.')))]),
);

const KIB = 1024;
const MIB = 1024 * KIB;

/** A default as people write it. */
const shownBound = (key: string): string => {
  const value = Number(CONFIG_KEYS.find((one) => one.key === key)?.value);
  if (value >= MIB) return `${String(value / MIB)} MiB`;
  return value % KIB === 0 ? `${String(value / KIB)} KiB` : value.toLocaleString('en-US');
};

/** Returns the words in code of cells. */
const wordsOf = (cells: readonly string[]): readonly string[] =>
  cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/gu)].map(([, word = '']) => word));

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** The fields of `spec` of a resource, as its CustomResourceDefinition has them. */
const fieldsOf = (crd: 'mcpservers' | 'workflows'): readonly string[] => {
  const text = read(`packages/crd-schemas/generated/${crd}.crd.yaml`);
  const { spec } = parse(text) as {
    spec: { versions: readonly [{ schema: { openAPIV3Schema: Schema } }] };
  };
  const { properties } = spec.versions[0].schema.openAPIV3Schema;
  return Object.keys(properties?.['spec']?.properties ?? {});
};

describe('what the documentation names exists:', () => {
  it('keys of config.yaml', () => {
    const form =
      /(?<![\w./-])(?:http|servers|events|detect|workflows)\.[a-z]\w+(?:\.\w+)*(?![\w./(])/gu;
    expect(strangers(form, KEYS_AND_GROUPS)).toEqual([]);
  });

  it('core tools, of which docs/servers.md names each', () => {
    const form = /(?<!\w)core_[a-z]+_[a-z_]*[a-z](?![\w*{])/gu;
    expect(strangers(form, CORE_TOOLS)).toEqual([]);
    const rows = tableRows(SERVERS, 'The core tools').flatMap(([names = '']) =>
      [...names.matchAll(/`(core_\w+)`/gu)].map(([, name = '']) => name),
    );
    expect(rows.toSorted()).toEqual([...CORE_TOOLS].toSorted());
  });

  it('reasons of events', () => {
    const form = /(?<!\w)(?:MCPServer|Workflow|Configuration)[A-Z]\w+/gu;
    // The last is a class of the OpenAI Agents SDK.
    const known = new Set([
      ...Object.keys(EVENT_REASONS),
      'WorkflowExecution',
      'MCPServerStreamableHttp',
    ]);
    expect(strangers(form, known)).toEqual([]);
  });

  it('metrics', () => {
    const names = Object.values(METRICS).map(({ name }) => name);
    expect(strangers(/(?<!\w)gateway_\w+/gu, new Set<string>(names))).toEqual([]);
  });

  it('lines of the log about servers', () => {
    const known = wordsIn(sourcesOf('packages/downstream/src'), /event: '([a-z.-]+)'/gu);
    expect(
      strangers(/(?<![\w-])(?:server|declared-tools)\.(?!json|mjs|ts)[a-z-]+/gu, known),
    ).toEqual([]);
  });

  it('fields of resources', () => {
    const fields = [...fieldsOf('mcpservers'), ...fieldsOf('workflows')];
    const known = new Set(fields.map((field) => `spec.${field}`));
    expect(strangers(/(?<![\w.])spec\.[a-z]\w+(?![\w.])/gu, known)).toEqual([]);
  });

  it('commands', () => {
    const headings = read('docs/reference/commands.md').matchAll(/^## `(gateway [a-z ]*[a-z])/gmu);
    const commands = [...headings].map(([, command = '']) => command);
    const groups = commands.map((command) => command.split(' ').slice(0, 2).join(' '));
    expect(strangers(/^gateway [a-z]+/gu, new Set(groups))).toEqual([]);
  });

  it('linked pages and headings', () => {
    const broken = PAGES.flatMap((page) =>
      linksOf(read(page)).flatMap(({ path, anchor }) => {
        const target = path === '' ? page : normalize(join(dirname(page), path));
        if (!existsSync(join(REPOSITORY, target))) return [`${page}: ${target}`];
        const isThere = anchor === '' || anchorsOf(read(target)).has(anchor);
        return isThere ? [] : [`${page}: ${target}#${anchor}`];
      }),
    );
    expect(broken).toEqual([]);
  });
});

describe('docs/servers.md', () => {
  const cellsOf = (heading: string, column = 0): readonly string[] =>
    tableRows(SERVERS, heading).map((row) => row[column] ?? '');
  const distinct = (words: readonly string[]): readonly string[] => [...new Set(words)].toSorted();

  it('has every state of both kinds of servers in its table', () => {
    const states = tableRows(SERVERS, 'States').filter(({ length }) => length === 5);
    expect(distinct(wordsOf(states.map(([stdio = '']) => stdio)))).toEqual(STDIO_STATES.toSorted());
    expect(distinct(wordsOf(states.map(([, remote = '']) => remote)))).toEqual(
      REMOTE_STATES.toSorted(),
    );
  });

  it('lists the effect of a change of every server field', () => {
    const fields = wordsOf(cellsOf('Effects of changes')).filter((word) => word !== 'config.yaml');
    const others = ['toolsetPresets', 'true', 'false'];
    expect(distinct(fields.filter((word) => !others.includes(word)))).toEqual(
      fieldsOf('mcpservers').toSorted(),
    );
  });

  it('has every health value', () => {
    expect(distinct(wordsOf(cellsOf('Health')))).toEqual([
      'checking',
      'degraded',
      'healthy',
      'unhealthy',
      'unknown',
    ]);
  });
});

describe('docs/operations.md', () => {
  it('has the bounds that config.yaml has by default', () => {
    const rows = tableRows(OPERATIONS, 'Limits').filter(([, , where = '']) =>
      /^(?:`[a-z]+\.\w+`(?:, )?)+$/u.test(where),
    );
    expect(rows.length).toBeGreaterThan(3);
    for (const [, bound = '', where = ''] of rows)
      for (const key of wordsOf([where])) expect(bound).toContain(shownBound(key));
  });
});

describe('docs/troubleshooting.md', () => {
  it('has a remedy for every warning event', () => {
    const warnings = Object.entries(EVENT_REASONS).flatMap(([reason, { type }]) =>
      type === 'Warning' ? [reason] : [],
    );
    const rows = tableRows(TROUBLESHOOTING, 'An event of type Warning');
    expect(wordsOf(rows.map(([reasons = '']) => reasons)).toSorted()).toEqual(warnings.toSorted());
    expect(rows.filter(([, remedy = '']) => remedy === '')).toEqual([]);
  });
});
