import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '@gateway/test-peers';
import { execFileSync } from 'node:child_process';
import { REPOSITORY } from '../install/places.ts';

/** The version of pnpm that the repository pins. */
const PNPM = 'pnpm@10.34.8';

/** Packs the built gateway into a new folder, as it would be published. @returns the path of the tarball */
export async function packedGateway(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const app = join(REPOSITORY, 'apps/gateway');
  await runProgram('npx', ['--yes', PNPM, 'pack', '--pack-destination', folder], { cwd: app });
  const [tarball = ''] = readdirSync(folder);
  return join(folder, tarball);
}

/** Removes what `npx` installed of a tarball from its cache. */
export function removeFromNpx(tarball: string): void {
  if (tarball === '') return;
  const cache = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim();
  const installed = join(cache, '_npx');
  for (const name of readdirSync(installed)) {
    const folder = join(installed, name);
    if (dependsOn(folder, tarball)) rmSync(folder, { recursive: true, force: true });
  }
}

const dependsOn = (folder: string, tarball: string): boolean => {
  try {
    const { _npx } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      readonly _npx?: { readonly packages?: readonly string[] };
    };
    return _npx?.packages?.some((name) => name.includes(tarball)) ?? false;
  } catch {
    return false;
  }
};
