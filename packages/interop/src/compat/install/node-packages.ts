import { cpSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { findProgram, PeerMissing, runProgram } from '@gateway/test-peers';
import { installed } from './cache-folder.ts';
import { placeOf } from './places.ts';

const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Installs the npm packages of a folder of `pinned/node` and returns the folder `node_modules`.
 *
 * @throws {PeerMissing} without npm, or when npm fails
 */
export async function nodePackages(name: string): Promise<string> {
  const npm = findProgram('npm');
  if (npm === undefined) throw new PeerMissing('npm is not in PATH');
  const pinned = placeOf('pinned/node', name);
  const folder = await installed({
    name: `node-${name}`,
    inputs: [pinned],
    facts: [process.versions.modules],
    install: async (draft) => {
      cpSync(pinned, draft, { recursive: true });
      await runProgram(npm, ['ci', ...QUIET], { cwd: draft });
    },
  });
  return join(folder, 'node_modules');
}
