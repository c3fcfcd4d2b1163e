import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findPictureProblem } from '../src/index.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pictures-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** A black picture of 10 x 10 pixels whose first pixels are white. */
const picture = (white: number, width = 10): Buffer => {
  const image = new PNG({ width, height: 10 });
  image.data.fill(0);
  for (let at = 3; at < image.data.length; at += 4) image.data[at] = 255;
  image.data.fill(255, 0, white * 4);
  return PNG.sync.write(image);
};

it.each([
  ['the same picture', picture(0), undefined],
  ['one of 100 pixels', picture(1), undefined],
  ['three of 100 pixels', picture(3), / differs in 3\.00 % of its pixels: .+-difference\.png$/u],
  ['another size', picture(0, 9), / has 9 x 10 pixels instead of 10 x 10: /u],
])('compares a picture with the stored one: %s', async (_name, shown, problem) => {
  const file = join(folder, 'stored.png');
  writeFileSync(file, picture(0));
  const found = await findPictureProblem(shown, { file, maxShare: 0.02 });
  if (problem === undefined) expect(found).toBe(undefined);
  else expect(found).toMatch(problem);
});

it('names a picture that is not stored', async () => {
  const file = join(folder, 'new.png');
  expect(await findPictureProblem(picture(0), { file, maxShare: 0 })).toBe(
    `${file} does not exist: UPDATE_PICTURES=1 writes it`,
  );
});
