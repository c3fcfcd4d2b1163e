import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { CHARTS } from '../../src/assemble-charts.ts';
import { pageProblems } from '../harness/doc-problems.ts';

const REPOSITORY = join(import.meta.dirname, '../../../..');

const pages = [
  'packages/charts/README.md',
  'docs/sign-in.md',
  'docs/upgrading.md',
  ...(await readdir(join(REPOSITORY, 'docs/charts'))).map((name) => `docs/charts/${name}`),
];

const read = async (page: string): Promise<string> =>
  await readFile(join(REPOSITORY, page), 'utf8');

const findVersion = async (chart: string): Promise<readonly [string, string]> => {
  const { version } = parse(await read(`packages/charts/${chart}/Chart.yaml`)) as {
    version: string;
  };
  return [chart, version];
};

const brokenLinks = (page: string, text: string): readonly string[] =>
  [...text.matchAll(/\]\((?!https?:)([^)#\s]+)[^)]*\)/gu)]
    .map(([, target = '']) => target)
    .filter((target) => !existsSync(join(REPOSITORY, dirname(page), target)));

describe('the pages of the charts', () => {
  it('contain each installable chart', () => {
    const missing = CHARTS.filter((chart) => chart !== 'library').filter(
      (chart) => !pages.includes(`docs/charts/${chart}.md`),
    );
    expect(missing).toEqual([]);
  });

  it('have every chart that is installed, with its version', async () => {
    const text = await read('docs/charts/README.md');
    const rows = text.matchAll(/^\| \[?`([a-z-]+)`[^|]*\| (\S+) +\|/gmu);
    const versions = [...rows].map(([, chart = '', version]) => [chart, version] as const);
    const installed = CHARTS.filter((chart) => chart !== 'library');
    expect(versions.filter(([chart]) => chart !== 'library').toSorted()).toEqual(
      (await Promise.all(installed.map(findVersion))).toSorted(),
    );
  });

  it.each(pages)('%s has valid commands, files, outputs and links', async (page) => {
    const text = await read(page);
    expect(brokenLinks(page, text)).toEqual([]);
    expect(await pageProblems(text)).toEqual([]);
  });
});

const FILE = '```yaml\n# values.yaml\nreplicas: 2\n```\n';
const page = (command: string, shown = ''): string =>
  `${FILE}\n\`\`\`sh\n${command}\n\`\`\`\n${shown}`;
const CHART = 'oci://registry.gateway.internal/charts/agent';

describe('problems of a page', () => {
  it('is empty without problems', async () => {
    const command = `helm upgrade --install demo \\\n  ${CHART} --version 0.6.0 -f values.yaml --wait\nkubectl get agents`;
    const shown = '\n```yaml\n# output\nkind: Agent\n...\nreplicas: 2\n```\n';
    const refused = page(
      `helm template demo ${CHART} -f values.yaml --set-json 'toolset=[]'`,
      '\n```text\nError: toolset is empty\n```\n',
    );
    expect(await pageProblems(page(command, shown))).toEqual([]);
    expect(await pageProblems(refused)).toEqual([]);
  });

  it.each([
    ['a file that no command uses', page('helm version'), 'no command uses values.yaml'],
    [
      'a file that stands twice',
      FILE + page(`helm lint ${CHART} -f values.yaml`),
      'values.yaml stands twice',
    ],
    [
      'a chart that there is not',
      page('helm lint oci://registry.gateway.internal/charts/agents -f values.yaml'),
      'names the chart agents, which there is not',
    ],
    [
      'a chart from elsewhere',
      page('helm lint ./agent -f values.yaml'),
      'names no chart of oci://registry.gateway.internal/charts/',
    ],
    [
      'another version',
      page(`helm lint ${CHART} --version 0.5.0 -f values.yaml`),
      'names version 0.5.0 of agent, which is at 0.6.0',
    ],
    [
      'a command that fails',
      page(`helm lint ${CHART} -f values.yaml --set replicas=x`),
      'replicas',
    ],
    [
      'a line that is not printed',
      page(`helm template ${CHART} -f values.yaml`, '\n```yaml\n# output\nreplicas: 3\n```\n'),
      'does not print replicas: 3',
    ],
    [
      'a refusal that does not come',
      page(`helm template ${CHART} -f values.yaml`, '\n```text\nError: no\n```\n'),
      'is not refused',
    ],
    [
      'a refusal in other words',
      page(
        `helm template ${CHART} -f values.yaml --set-json 'toolset=[]'`,
        '\n```text\nError: toolset is missing\n```\n',
      ),
      'is refused otherwise',
    ],
    [
      'no YAML',
      page(`helm lint ${CHART} -f values.yaml`, '\n```yaml\na: [\n```\n'),
      'Flow sequence',
    ],
  ])('%s', async (_what, text, problem) => {
    expect((await pageProblems(text)).join('\n')).toContain(problem);
  });
});
