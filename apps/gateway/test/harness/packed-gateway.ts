import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { APP } from './gateway.ts';
import { startNode, type RunningProcess } from './process.ts';
import { testFolder } from './program-result.ts';

const run = promisify(execFile);

/** The script of npx on the PATH; Node runs it without a shell. */
const npxScript = (): string => {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const script = folders.map((folder) => join(folder, 'npx')).find((path) => existsSync(path));
  if (script === undefined) throw new Error('npx, which comes with Node, is not on the PATH');
  return realpathSync(script);
};

/** The version of pnpm that the repository pins. */
const PNPM = 'pnpm@10.34.8';

/** The packed gateway, installed in an empty folder without the repository. The end removes it. */
export interface PackedGateway {
  readonly folder: string;
  /** The folder for temporary files of the programs that are started. */
  readonly temporary: string;
  /** Starts `npx gateway <args>` there. */
  npx(args: readonly string[]): RunningProcess;
}

/** Packs the gateway as it would be published and installs the tarball from the registry's packages. */
export async function installPacked(): Promise<PackedGateway> {
  const home = realpathSync(testFolder());
  const [folder, packed, temporary] = ['installed', 'packed', 'temporary'].map((name) =>
    join(home, name),
  ) as [string, string, string];
  for (const path of [folder, packed, temporary]) mkdirSync(path);
  const env = { ...process.env, TMPDIR: temporary };
  await run('npx', ['--yes', PNPM, 'pack', '--pack-destination', packed], { cwd: APP });
  const [tarball = ''] = readdirSync(packed);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['install', ...options, join(packed, tarball)], { cwd: folder });
  return {
    ...{ folder, temporary },
    npx: (args) =>
      startNode([npxScript(), '--no-install', 'gateway', ...args], { cwd: folder, env }),
  };
}
