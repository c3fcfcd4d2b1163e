import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';

/** The stored picture, and how much of another one may differ. */
export interface ExpectedPicture {
  /** Path of the expected picture, a PNG. The environment variable `UPDATE_PICTURES` writes it. */
  readonly file: string;
  /** Share of the pixels that may differ visibly, from 0 to 1. */
  readonly maxShare: number;
}

const OTHERS = join(tmpdir(), 'other-pictures');

const written = async (file: string, content: Uint8Array): Promise<string> => {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
  return file;
};

const expectedIn = async (file: string): Promise<Buffer | undefined> => {
  try {
    return await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

const sizeOf = ({ width, height }: { readonly width: number; readonly height: number }): string =>
  `${width} x ${height}`;

const differenceOf = async (
  picture: Uint8Array,
  expected: Uint8Array,
  maxShare: number,
): Promise<{ readonly text: string; readonly difference?: Uint8Array } | undefined> => {
  const [{ default: pixelmatch }, { PNG }] = await Promise.all([
    import('pixelmatch'),
    import('pngjs'),
  ]);
  const [shown, stored] = [
    PNG.sync.read(Buffer.from(picture)),
    PNG.sync.read(Buffer.from(expected)),
  ];
  if (sizeOf(shown) !== sizeOf(stored))
    return { text: `has ${sizeOf(shown)} pixels instead of ${sizeOf(stored)}` };
  const { width, height } = shown;
  const marks = new PNG({ width, height });
  const share = pixelmatch(shown.data, stored.data, marks.data, width, height) / (width * height);
  if (share <= maxShare) return undefined;
  return {
    text: `differs in ${(share * 100).toFixed(2)} % of its pixels`,
    difference: PNG.sync.write(marks),
  };
};

/**
 * Compares a picture of a page with the stored one. Returns a sentence with the paths of the picture and of the marked
 * differences; undefined when they are alike.
 */
export const pictureProblem = async (
  picture: Uint8Array,
  { file, maxShare }: ExpectedPicture,
): Promise<string | undefined> => {
  if (process.env['UPDATE_PICTURES'] !== undefined) {
    await written(file, picture);
    return undefined;
  }
  const expected = await expectedIn(file);
  if (expected === undefined) return `${file} does not exist: UPDATE_PICTURES=1 writes it`;
  const found = await differenceOf(picture, expected, maxShare);
  if (found === undefined) return undefined;
  const shown = await written(join(OTHERS, basename(file)), picture);
  const { text, difference } = found;
  if (difference === undefined) return `${file} ${text}: ${shown}`;
  return `${file} ${text}: ${shown}, ${await written(shown.replace(/\.png$/, '-difference.png'), difference)}`;
};
