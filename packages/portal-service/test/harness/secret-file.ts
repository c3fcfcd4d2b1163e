import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Writes the secret of the portal at its provider to a file, and returns the path. */
export const secretFile = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'portal-secret-'));
  onTestFinished(() => {
    rmSync(directory, { recursive: true, force: true });
  });
  const path = join(directory, 'secret');
  writeFileSync(path, 'the secret of the portal\n', { mode: 0o600 });
  return path;
};
