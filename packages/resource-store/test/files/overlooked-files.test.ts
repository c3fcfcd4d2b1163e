import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { listOverlookedFiles } from '../../src/index.ts';

const made: string[] = [];

/** A directory with these files; a path that ends in `/` is a folder. */
const directoryOf = (...paths: readonly string[]): string => {
  const root = mkdtempSync(join(tmpdir(), 'overlooked-'));
  made.push(root);
  for (const path of paths) {
    mkdirSync(path.endsWith('/') ? join(root, path) : dirname(join(root, path)), {
      recursive: true,
    });
    if (!path.endsWith('/')) writeFileSync(join(root, path), '');
  }
  return root;
};

const overlooked = async (...paths: readonly string[]): Promise<readonly string[]> => {
  const root = directoryOf(...paths);
  return (await listOverlookedFiles(root)).map(({ file, message }) =>
    `${file}: ${message}`.replace(root, '.'),
  );
};

afterEach(() => {
  for (const root of made.splice(0)) rmSync(root, { recursive: true });
});

it('reports neither files that are read nor files that do not look like resources', async () => {
  expect(
    await overlooked(
      ...['config.yaml', 'mcpservers/a.yaml', 'workflows/b.yml', 'workflows/.b.yaml.swp'],
      ...['mcpservers/..data/', 'mcpservers/README.md', 'state/x.jsonl', 'notes.txt', '.git/'],
    ),
  ).toEqual([]);
  expect(await listOverlookedFiles('/no/such/directory')).toEqual([]);
});

it('names a folder with nearly the right name, and resources in the wrong place or with another ending', async () => {
  expect(
    await overlooked(
      ...['config.yml', 'mcp-servers/', 'Workflow/'],
      ...['mcpservers/team/a.yaml', 'mcpservers/b.json', 'mcpservers/c.YAML'],
    ),
  ).toEqual([
    './Workflow: is not read; resources are read from workflows/',
    './config.yml: is not read; here only config.yaml is, resources are read from mcpservers/ and workflows/',
    './mcp-servers: is not read; resources are read from mcpservers/',
    './mcpservers/b.json: is not read; names of files end in .yaml or .yml',
    './mcpservers/c.YAML: is not read; names of files end in .yaml or .yml',
    './mcpservers/team: is not read; folders in here are left out',
  ]);
});

it('reports a directory without configuration', async () => {
  expect(await overlooked()).toEqual(['.: has neither config.yaml nor mcpservers/ nor workflows/']);
});
