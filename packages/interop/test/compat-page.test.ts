import { describe, expect, it } from 'vitest';
import { type CompatResults, listFailures, renderPage } from '../src/compat/compat-page.ts';

const createPythonSample = { registry: 'PyPI', package: 'mcp', version: '1.2.3' } as const;

const RESULTS: CompatResults = {
  date: '2026-11-23',
  clients: [
    {
      ...createPythonSample,
      id: 'python',
      title: 'Python SDK',
      verdicts: {
        initialize: { kind: 'works', detail: '2025-11-25' },
        list: { kind: 'works' },
        progress: { kind: 'absent', reason: 'no callback' },
        cancel: { kind: 'fails', problem: 'no end\nwithin 60 s' },
      },
    },
  ],
  servers: [
    { ...createPythonSample, id: 'time', title: 'time', verdicts: {}, notRun: 'no Python' },
  ],
  guide: [
    { title: 'Codex', package: '@openai/codex', version: '1.0.0', verdict: { kind: 'works' } },
  ],
};

const page = renderPage(RESULTS);
const rowOf = (start: string): string =>
  page.split('\n').find((line) => line.startsWith(start)) ?? '';

describe('the page of a run', () => {
  it('has one cell for each feature: the remark, yes, a dash, no, or not run', () => {
    const titles = rowOf('| client |').split(' | ');
    const cells = rowOf('| Python SDK |').split(' | ');
    expect(cells.slice(0, 3)).toEqual(['| Python SDK', 'PyPI `mcp` 1.2.3', '2025-11-25']);
    expect(cells[titles.indexOf('progress')]).toBe('–');
    expect(cells[titles.indexOf('cancel')]).toBe('**no**');
    expect(cells[titles.indexOf('images')]).toBe('not run');
  });

  it('names what works for all in a sentence, and the features with one reason together', () => {
    expect(page).toContain('With each of them this works: tools/list.\n');
    expect(rowOf('| client |')).not.toContain('tools/list');
    const absent = { kind: 'absent', reason: 'no callback' } as const;
    const [client] = RESULTS.clients;
    const verdicts = { ...client?.verdicts, elicitation: absent };
    const other = { ...RESULTS, clients: RESULTS.clients.map((one) => ({ ...one, verdicts })) };
    expect(renderPage(other)).toContain('- Python SDK, progress, elicitation: no callback\n');
  });

  it('gives the reason of each dash, and the first line of each problem', () => {
    expect(page).toContain('- Python SDK, progress: no callback\n');
    expect(page).toContain('- Python SDK, cancel: no end\n');
    expect(page).toContain('- time did not run: no Python\n');
  });

  it('names the program that read a configuration of the guide', () => {
    expect(rowOf('- Codex')).toBe('- Codex, npm `@openai/codex` 1.0.0: yes');
  });
});

describe('the failures of a run', () => {
  it('are the features that fail and the subjects that did not run', () => {
    expect(listFailures(RESULTS)).toEqual([
      'Python SDK: cancel: no end\nwithin 60 s',
      'time: not run: no Python',
    ]);
  });
});
