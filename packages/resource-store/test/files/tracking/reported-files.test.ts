import { link, symlink } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { DirectoryTracker } from '../../../src/files/directory-tracker.ts';
import { configurationDirectory, serverText } from '../configuration-directory.ts';

const IMMEDIATE = { debounceMs: 0, graceMs: 0 } as const;

const prepared = async () => {
  const created = await configurationDirectory();
  await created.write('config.yaml', 'a: 1\n');
  await created.write('mcpservers/a.yaml', serverText('a'));
  const tracker = new DirectoryTracker({ directory: created.directory }, () => performance.now());
  const isReported = async (): Promise<boolean> => (await tracker.scan(IMMEDIATE)).isReported;
  return { ...created, isReported };
};

it('watches report the changes of plain files, valid or not', async () => {
  const { write, isReported } = await prepared();
  expect(await isReported()).toBe(true);
  await write('mcpservers/b.yaml', 'no server');
  expect(await isReported()).toBe(true);
});

it('watches do not report the changes of a link', async () => {
  const { at, isReported } = await prepared();
  await symlink(at('config.yaml'), at('mcpservers/b.yaml'));
  expect(await isReported()).toBe(false);
});

it('watches do not report the changes of a file with two names', async () => {
  const { at, isReported } = await prepared();
  await link(at('mcpservers/a.yaml'), at('second-name'));
  expect(await isReported()).toBe(false);
});

it('watches report nothing below a directory that cannot be listed', async () => {
  const { write, remove, isReported } = await prepared();
  await remove('mcpservers');
  await write('mcpservers', 'a file');
  expect(await isReported()).toBe(false);
});
