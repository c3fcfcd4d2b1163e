import { expect, it } from 'vitest';
import * as surface from '../src/index.ts';

it('exports exactly these names', () => {
  expect(Object.keys(surface).sort()).toEqual([
    'KeyedQueue',
    'claimFile',
    'createWholeFile',
    'differencePatch',
    'errorCodeOf',
    'fingerprintOf',
    'mergePatch',
    'openEventLog',
    'openFileStore',
    'openRecordDirectory',
    'openStateDirectory',
    'overlookedFiles',
    'parseYaml',
    'parseYamlDocuments',
    'placedProblemText',
    'readDirectory',
    'readTextFile',
    'readTextFileSync',
    'removeLeftOvers',
    'replaceWholeFileIf',
    'resourceEvents',
    'resourceProblemText',
    'rewriteYaml',
    'syncDirectory',
    'writeFailureText',
  ]);
});

it('reports a problem on one line', () => {
  const problem = { file: 'mcpservers/a.yaml', kind: 'MCPServer', message: 'm' } as const;
  expect(surface.resourceProblemText(problem)).toBe('mcpservers/a.yaml: m');
  const placed = { ...problem, file: '/srv/team/mcpservers/a.yaml', line: 4, column: 3 };
  expect(surface.placedProblemText(placed)).toBe('mcpservers/a.yaml:4:3: m');
  expect(surface.resourceProblemText({ ...problem, line: 4, column: 3 })).toBe(
    'mcpservers/a.yaml:4:3: m',
  );
});
