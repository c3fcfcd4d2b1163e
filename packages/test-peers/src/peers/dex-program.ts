import { goProgram } from '../go-program.ts';
import { fileURLToPath } from 'node:url';

const MODULE = fileURLToPath(new URL('../../dex', import.meta.url));

/**
 * Returns the path of Dex. It is built once, into the cache folder of the user; the first build takes up to two minutes.
 * @throws {PeerMissing} without Go, or when the build fails
 */
export const dexProgram = (): Promise<string> =>
  goProgram({ name: 'dex', module: MODULE, target: '.', sources: ['main.go'] });
