import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../../..');

const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

/** Returns the cells of the rows of the first table below a heading. */
const rowsBelow = (page: string, heading: string): readonly (readonly string[])[] =>
  (page.split(`\n${heading}\n`)[1]?.split(/\n#+ /u)[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

/** Components of §9.2 as the page names them. */
const NAMES: Readonly<Record<string, string>> = {
  'fleet meta-package': 'fleet chart `agent-platform`',
  'platform MCP bundle': 'MCP bundle `agent-platform-mcps`',
  'standalone chart': '`standalone`',
  'agent-manager (label)': 'agent-manager',
};

const CHARTS: Readonly<Record<string, string>> = {
  gateway: 'gateway',
  'generic agent chart': 'agent',
  'fleet chart `agent-platform`': 'agent-platform',
  'MCP bundle `agent-platform-mcps`': 'agent-platform-mcps',
  'agent-manager': 'agent-manager',
  'developer portal': 'portal',
  'model-manager': 'model-manager',
  '`standalone`': 'standalone',
};

const isNewer = (one: string, other: string): boolean =>
  one.localeCompare(other, 'en', { numeric: true }) > 0;

const noted = new Map(
  rowsBelow(read('docs/upgrading.md'), '## Versions').map(([component = '', version = '']) => [
    component,
    version,
  ]),
);

describe('the versions in docs/upgrading.md', () => {
  it('are the newest of each component of the specification', () => {
    const newest = new Map<string, string>();
    for (const [component = '', version = ''] of rowsBelow(
      read('docs/spec/spec.md'),
      '## 9. Versioning',
    )) {
      const name = NAMES[component] ?? component;
      if (isNewer(version, newest.get(name) ?? '0')) newest.set(name, version);
    }
    expect(newest.size).toBe(8);
    // The chart of the specification does not have the presets yet.
    expect(newest.get('`standalone`')).toBe('0.37.0');
    newest.set('`standalone`', '0.38.0');
    expect(Object.fromEntries(noted)).toEqual(Object.fromEntries(newest));
  });

  it.each(Object.entries(CHARTS))('of %s is that of the chart', (component, chart) => {
    const { version } = parse(read(`packages/charts/${chart}/Chart.yaml`)) as { version: string };
    expect(noted.get(component)).toBe(version);
  });
});
