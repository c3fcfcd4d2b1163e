import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { createBuildProgress } from '../bootstrap/build-progress.mjs';

const root = resolve(import.meta.dirname, '../../..');

const read = (...chunks: readonly string[]): readonly string[] => {
  const lines: string[] = [];
  let seconds = 0;
  const now = () => seconds * 1000;
  const progress = createBuildProgress(root, { report: (line: string) => lines.push(line), now });
  for (const chunk of chunks) {
    seconds += 4;
    progress.read(chunk);
  }
  expect(progress.text()).toBe(chunks.join(''));
  return lines;
};

const SCOPE =
  '   • Packages in scope: @gateway/gateway, @gateway/portal, @gateway/repo-checks, @gateway/toolset-grammar\n';

it('reports each package that is built, with its number and the time', () => {
  expect(
    read(
      SCOPE,
      '@gateway/toolset-grammar:build: cache miss, executing 26d8\n@gateway/toolset-grammar:build: > tsup\n@gateway/por',
      'tal:build: cache hit, replaying logs a1\n\u001B[32m@gateway/gateway:build: \u001B[0mcache miss, executing 1f18\n',
    ),
  ).toEqual([
    '  1 of 3 packages after 8 s: @gateway/toolset-grammar',
    '  3 of 3 packages after 12 s: @gateway/gateway',
  ]);
});

it('counts packages outside of the scope', () => {
  expect(
    read(
      '   • Packages in scope: @gateway/portal\n',
      '@gateway/portal-web:build: cache miss, x\n@gateway/portal:build: cache miss, x\n',
    ),
  ).toEqual([
    '  1 of 1 packages after 8 s: @gateway/portal-web',
    '  2 of 2 packages after 8 s: @gateway/portal',
  ]);
});
