import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { DOCUMENTED_PAGES, IMAGES } from './harness/documented-pages.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
const LARGEST_BYTES = 150_000;
const ALL_BYTES = 2_000_000;

const pictures = new Map(
  readdirSync(IMAGES).map((file) => [file, readFileSync(join(IMAGES, file))] as const),
);
const guide = readFileSync(join(ROOT, 'docs/portal.md'), 'utf8');

it('exist for every documented page, and for no other', () => {
  const files = DOCUMENTED_PAGES.map(({ name }) => `${name}.png`);
  expect([...pictures.keys()].toSorted()).toEqual(files.toSorted());
});

it('are small PNG files of the size of a window or of a phone', () => {
  const [sizes, contents] = [[...pictures.values()].map(({ length }) => length), [...pictures]];
  expect(Math.max(...sizes)).toBeLessThan(LARGEST_BYTES);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(ALL_BYTES);
  for (const [file, content] of contents)
    expect(
      [content.subarray(0, 4).equals(PNG), content.readUInt32BE(16), content.readUInt32BE(20)],
      file,
    ).toEqual([true, file.endsWith('-small.png') ? 360 : 1000, 680]);
});

it('are shown in the guide, each with a text for those who do not see it', () => {
  const shown = [...guide.matchAll(/!\[([^\]]+)\]\(images\/portal\/([\w-]+\.png)\)/gu)];
  expect(shown.map(([, , file]) => file).toSorted()).toEqual([...pictures.keys()].toSorted());
  expect(shown.filter(([, text = '']) => text.length < 10)).toEqual([]);
});

/** Paths of the router, as `agents/$namespace/$name`. */
const routes = [
  ...readFileSync(join(ROOT, 'packages/portal-web/src/app/router.ts'), 'utf8').matchAll(
    /path: '\/([^']+)'/gu,
  ),
].map(([, path = '']) => path);

const isOf = (route: string) => {
  const segments = route.split('/').map((part) => (part.startsWith('$') ? '[^/]+' : part));
  return new RegExp(`^${segments.join('/')}$`, 'u');
};

it('have an address of every route', () => {
  const paths = DOCUMENTED_PAGES.map(({ path }) => path.split('?', 1)[0] ?? '');
  const missing = routes.filter((route) => !paths.some((path) => isOf(route).test(path)));
  // The first is shown by its steps in the address of an agent that exists, the other by a link of the list.
  expect(missing).toEqual(['agents/new', 'runs/$run']);
});
