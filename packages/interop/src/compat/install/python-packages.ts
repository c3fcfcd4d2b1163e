import { join } from 'node:path';
import { findProgram, PeerMissing, runProgram } from '@gateway/test-peers';
import { installed } from './cache-folder.ts';
import { placeOf } from './places.ts';

/** The installer of Python packages. It takes seconds where pip takes minutes. */
const UV = 'uv==0.13.9';
/** Nothing but packages of the registry is downloaded. */
const ENVIRONMENT = { UV_PYTHON_DOWNLOADS: 'never', UV_NO_PROGRESS: '1' };

/**
 * Installs the packages of a file of `pinned/python` into an environment of their own.
 *
 * @returns the path of its Python
 * @throws {PeerMissing} without Python, or when the installation fails
 */
export async function pythonPackages(name: string): Promise<string> {
  const { python, version } = await installedPython();
  const uv = await installer(python, version);
  const pinned = placeOf('pinned/python', `${name}.txt`);
  const folder = await installed({
    name: `python-${name}`,
    inputs: [pinned],
    facts: [version, UV],
    install: async (draft) => {
      const environment = join(draft, 'environment');
      const create = ['venv', '-q', '--relocatable', '--python', python, environment];
      await runProgram(uv, create, { env: ENVIRONMENT });
      const into = ['--python', join(environment, 'bin/python')];
      await runProgram(uv, ['pip', 'install', '-q', ...into, '-r', pinned], { env: ENVIRONMENT });
    },
  });
  return join(folder, 'environment/bin/python');
}

/** Returns the path of uv, which has `uvx` next to it. @throws {PeerMissing} without Python */
export async function uvProgram(): Promise<string> {
  const { python, version } = await installedPython();
  return installer(python, version);
}

async function installedPython(): Promise<{ readonly python: string; readonly version: string }> {
  const python = findProgram('python3');
  if (python === undefined) throw new PeerMissing('python3 is not in PATH');
  return { python, version: (await runProgram(python, ['--version'])).trim() };
}

async function installer(python: string, version: string): Promise<string> {
  const folder = await installed({
    name: 'uv',
    inputs: [],
    facts: [version, UV],
    install: async (draft) => {
      const options = ['--quiet', '--disable-pip-version-check', '--target', draft];
      await runProgram(python, ['-m', 'pip', 'install', ...options, UV]);
    },
  });
  return join(folder, 'bin/uv');
}
