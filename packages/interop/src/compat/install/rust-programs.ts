import { copyFileSync, cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram, PeerMissing, runProgram } from '@gateway/test-peers';
import { installed } from './cache-folder.ts';
import { placeOf } from './places.ts';

/** A build takes minutes and leaves the machine to others. */
async function runCargo(args: readonly string[], cwd: string): Promise<void> {
  const cargo = findProgram('cargo');
  if (cargo === undefined) throw new PeerMissing('cargo is not in PATH');
  const nice = findProgram('nice');
  if (nice === undefined) await runProgram(cargo, args, { cwd });
  else await runProgram(nice, ['-n', '10', cargo, ...args], { cwd });
}

/** A program in `drivers/rust`. */
export type RustProgram = 'compat-rmcp' | 'sample';

const RUST_PROGRAMS: readonly RustProgram[] = ['compat-rmcp', 'sample'];

/** Builds the programs in `drivers/rust` and returns the path of one. @throws {PeerMissing} without cargo, or when the build fails */
export async function rustProgram(name: RustProgram): Promise<string> {
  const sources = placeOf('drivers/rust');
  const folder = await installed({
    name: 'rust-programs',
    inputs: [join(sources, 'Cargo.toml'), join(sources, 'src')],
    install: async (draft) => {
      // Cargo writes its lock file next to the sources.
      cpSync(sources, draft, { recursive: true });
      await runCargo(['build', '--quiet', '--release'], draft);
      mkdirSync(join(draft, 'bin'));
      for (const program of RUST_PROGRAMS)
        copyFileSync(join(draft, 'target/release', program), join(draft, 'bin', program));
      rmSync(join(draft, 'target'), { recursive: true });
    },
  });
  return join(folder, 'bin', name);
}

/** Installs a program of a crate and returns its path. @throws {PeerMissing} without cargo, or when the build fails */
export async function crateProgram(name: string, version: string): Promise<string> {
  const folder = await installed({
    name: `crate-${name}`,
    inputs: [],
    facts: [version],
    install: (draft) =>
      runCargo(
        ['install', '--quiet', '--debug', '--locked', '--version', version, '--root', '.', name],
        draft,
      ),
  });
  return join(folder, 'bin', name);
}
