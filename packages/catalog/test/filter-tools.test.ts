import { describe, expect, it } from 'vitest';
import { filterTools, type ToolFilters } from '../src/filter-tools.ts';
import { buildCatalog } from '../src/index.ts';
import { formatError } from '../src/route-tool-call.ts';
import { inputOf, names, server, serverTool, workflow } from './inventories.ts';

const { tools } = buildCatalog(
  inputOf(
    [
      server('Git', [
        serverTool('log', { description: 'Shows the LOG.\nSecond line: İstanbul.' }),
        serverTool('Push', { description: 'Sends commits.' }),
        { name: 'bare', inputSchema: {} },
      ]),
    ],
    {
      workflows: [
        workflow('a', { labels: { team: 'x', tier: '1' } }),
        workflow('b', { labels: { team: 'x', tier: '' } }),
        workflow('c'),
      ],
    },
  ),
);

const found = (filters: ToolFilters): readonly string[] => {
  const outcome = filterTools(tools, filters);
  return outcome.ok ? names(outcome.value) : [formatError(outcome.error)];
};

it('lets everything through without filters', () => expect(found({})).toEqual(names(tools)));

describe('pattern', () => {
  it('is a case-insensitive glob on the exposed name', () => {
    expect(found({ pattern: 'x_git_*' })).toEqual(['x_Git_log', 'x_Git_Push', 'x_Git_bare']);
    expect(found({ pattern: 'WORKFLOW_[ab]' })).toEqual(['workflow_a', 'workflow_b']);
    expect(found({ pattern: 'git' })).toEqual([]);
  });

  it('is case-sensitive on request', () => {
    expect(found({ pattern: 'x_Git_p*', caseSensitive: true })).toEqual([]);
    expect(found({ pattern: 'x_Git_P*', caseSensitive: true })).toEqual(['x_Git_Push']);
  });

  it('is refused when it does not compile', () => {
    expect(found({ pattern: '[a' })).toEqual(['Invalid pattern "[a": syntax error in pattern']);
    expect(found({ pattern: 'a'.repeat(300) })).toEqual([
      `Invalid pattern "${'a'.repeat(256)}…": syntax error in pattern`,
    ]);
  });
});

describe('description', () => {
  it('is a case-insensitive part of the full description', () => {
    expect(found({ description: 'log' })).toEqual(['x_Git_log']);
    expect(found({ description: 'SECOND LINE' })).toEqual(['x_Git_log']);
    expect(found({ description: 'Does' })).toEqual([]);
  });

  it('is case-sensitive on request', () => {
    expect(found({ description: 'log', caseSensitive: true })).toEqual([]);
    expect(found({ description: 'LOG', caseSensitive: true })).toEqual(['x_Git_log']);
  });

  it('is a text, no pattern', () => expect(found({ description: '*.' })).toEqual([]));

  it('is part of every description when empty', () =>
    expect(found({ description: '' })).toEqual(names(tools)));
});

describe('labels', () => {
  it('must all be there, with these values', () => {
    expect(found({ labels: { team: 'x' } })).toEqual(['workflow_a', 'workflow_b']);
    expect(found({ labels: { team: 'x', tier: '1' } })).toEqual(['workflow_a']);
    expect(found({ labels: { tier: '' } })).toEqual(['workflow_b']);
    expect(found({ labels: { team: 'X' } })).toEqual([]);
    expect(found({ labels: { constructor: '' } })).toEqual([]);
  });

  it('let everything through when none is asked for', () =>
    expect(found({ labels: {} })).toEqual(names(tools)));
});

it('applies all filters together', () =>
  expect(found({ pattern: 'x_*', description: 's' })).toEqual(['x_Git_log', 'x_Git_Push']));
