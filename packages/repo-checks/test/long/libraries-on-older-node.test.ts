import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { workspaceFolders } from '../../bootstrap/pnpm.mjs';
import { olderNode } from '../older-node.ts';

const root = resolve(import.meta.dirname, '../../../..');

const isPublished = (folder: string): boolean =>
  'publishConfig' in
  (JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as object);

const published = workspaceFolders(root).filter(
  (folder) => isPublished(folder) && existsSync(join(root, folder, 'src/index.ts')),
);

/** The names that the built package exports, as the given Node finds them. */
const exportsOn = async (node: string, folder: string): Promise<unknown> => {
  const entry = pathToFileURL(join(root, folder, 'dist/index.js')).href;
  const program = `console.log(JSON.stringify(Object.keys(await import('${entry}'))))`;
  const { stdout } = await promisify(execFile)(node, ['--input-type=module', '-e', program]);
  return JSON.parse(stdout);
};

it('there are published packages', () => {
  expect(published).toContain('packages/toolset-grammar');
});

it.each(published)('%s loads on the oldest supported Node as on the newest', async (folder) => {
  expect(await exportsOn(olderNode(), folder)).toEqual(await exportsOn(process.execPath, folder));
});
