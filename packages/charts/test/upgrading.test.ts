import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const DOCS = join(import.meta.dirname, '../../../docs');

const read = (page: string): string => readFileSync(join(DOCS, page), 'utf8');

/** Returns the text of a section. */
const under = (page: string, heading: string): string =>
  page.split(`\n${heading}\n`)[1]?.split(/\n#+ /u)[0] ?? '';

/** The cells of each row of the tables in a text, without the first two lines of a table. */
const rowsOf = (text: string): readonly (readonly string[])[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .filter((line, at) => at > 0 && !/^\| -+ /u.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

/** Sections of the components of §9.2. */
const HEADINGS: Readonly<Record<string, string>> = {
  gateway: 'Gateway',
  'generic agent chart': 'Agent chart',
  'agent-manager': 'agent-manager',
  'agent-manager (label)': 'agent-manager',
  'developer portal': 'Developer portal',
  'fleet meta-package': 'Fleet chart `agent-platform`',
  'platform MCP bundle': 'MCP bundle `agent-platform-mcps`',
  'model-manager': 'model-manager',
  'standalone chart': 'Standalone chart',
};

const upgrading = read('upgrading.md');
const versioning = under(read('spec/spec.md'), '## 9. Versioning');
const formatTable = rowsOf(versioning);

const noted = (component: string): readonly (readonly string[])[] =>
  rowsOf(under(upgrading, `### ${HEADINGS[component] ?? ''}`));

/** Returns the code spans and versions of a text. */
const namesIn = (text: string): readonly string[] => [
  ...[...text.matchAll(/`[^`]+`/gu)].map(([name]) => name),
  ...[...text.matchAll(/\d+\.\d+\.\d+/gu)].map(([version]) => version),
];

describe('the upgrade notes', () => {
  it.each(
    formatTable.map(([component = '', version = '', brings = '']) => [component, version, brings]),
  )('of %s %s say what it brings, what to do and what can break', (component, version, brings) => {
    const rows = noted(component).filter(([noteOf]) => noteOf === version);
    expect(rows).toHaveLength(1);
    const [[, ...cells] = []] = rows;
    expect(cells.filter((cell) => cell !== '')).toHaveLength(3);
    expect(namesIn(brings).filter((name) => !cells[0]?.includes(name))).toEqual([]);
  });

  it('list every version of the specification and the standalone chart of this release', () => {
    expect(formatTable).toHaveLength(12);
    const headings = [...new Set(Object.values(HEADINGS))];
    const versions = headings.flatMap((heading) =>
      rowsOf(under(upgrading, `### ${heading}`)).map(([version = '']) => `${heading} ${version}`),
    );
    const specified = formatTable.map(
      ([component = '', version = '']) => `${HEADINGS[component] ?? component} ${version}`,
    );
    expect(versions.filter((version) => !specified.includes(version))).toEqual([
      'Standalone chart 0.38.0',
    ]);
    expect(specified.filter((version) => !versions.includes(version))).toEqual([]);
  });

  it('say what changed in workflows', () => {
    const [, rule = ''] = /^3\. (Workflow behaviour.*)$/mu.exec(versioning) ?? [];
    const text = under(upgrading, '## Resources and workflows');
    expect(namesIn(rule)).toEqual(['`jsonPath`', '`store`', '`output`', '0.10.0']);
    expect(namesIn(rule).filter((name) => !text.includes(name))).toEqual([]);
  });
});
