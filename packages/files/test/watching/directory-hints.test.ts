import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { DirectoryHints } from '../../src/index.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

/** A watched directory `root` with a directory `inside`, and the number of its hints. */
const watched = async () => {
  const { directory: parent } = await temporaryDirectory();
  const root = path.join(parent, 'root');
  const inside = path.join(root, 'inside');
  await mkdir(inside, { recursive: true });
  let count = 0;
  const hints = new DirectoryHints(root, [inside, path.join(root, 'missing')], () => (count += 1));
  onTestFinished(() => hints.close());
  await hints.refresh();
  return { parent, root, inside, hints, count: () => count };
};

it('hints at a change in each directory', async () => {
  const { root, inside, count } = await watched();
  for (const file of [path.join(root, 'a'), path.join(inside, 'b')]) {
    const before = count();
    await writeFile(file, 'x');
    await expect.poll(count).toBeGreaterThan(before);
  }
});

it('reports the creation of a missing directory, and its changes after the next refresh', async () => {
  const { root, hints, count } = await watched();
  const missing = path.join(root, 'missing');
  await mkdir(missing);
  await expect.poll(count).toBeGreaterThan(0);
  expect(hints.isReported()).toBe(false);
  await hints.refresh();
  const before = count();
  await writeFile(path.join(missing, 'a'), 'x');
  await expect.poll(count).toBeGreaterThan(before);
});

it('reports no change of a directory that was replaced, until the next refresh', async () => {
  const { parent, root, hints } = await watched();
  const before = hints.isReported();
  await rename(root, path.join(parent, 'old'));
  expect(hints.isReported()).toBe(false);
  await hints.refresh();
  expect(hints.isReported()).toBe(false);
  await rename(path.join(parent, 'old'), root);
  await hints.refresh();
  expect(hints.isReported()).toBe(before);
});
