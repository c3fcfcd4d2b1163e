import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { REPOSITORY } from '../../src/gateway.ts';
import {
  listDocumentedSteps,
  listSetupLines,
  type StepResult,
  runDocumentedSteps,
  type Shell,
  startShell,
} from '../../src/compat/own-server.ts';

/** The store that the repository is installed from. With the store of another home, pnpm would install everything again. */
const packageStore = (): string => {
  const facts = parse(readFileSync(join(REPOSITORY, 'node_modules/.modules.yaml'), 'utf8')) as {
    readonly storeDir: string;
  };
  return facts.storeDir;
};

describe('the quick start, from a built clone to a server of one’s own,', () => {
  let folder = '';
  let shell: Shell;
  const followed: StepResult[] = [];
  const onStep = (step: StepResult): void => {
    followed.push(step);
  };

  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'gateway-own-')));
    shell = startShell(REPOSITORY, { HOME: folder, npm_config_store_dir: packageStore() });
    const lines = listSetupLines('clone');
    expect(lines.slice(0, 2)).toEqual(['git clone <this repository> gateway', 'cd gateway']);
    for (const line of lines.slice(2, -1)) await shell.run(line);
    expect(lines.at(-1)).toBe('cd ..');
    await shell.run(`cd '${folder}'`);
  });
  afterAll(async () => {
    await shell.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('prints what the page shows, up to the first call', async () => {
    await runDocumentedSteps(listDocumentedSteps('first'), {
      shell,
      onStep,
      folder: join(folder, 'my-gateway'),
    });
    expect(followed.map(({ command }) => command.split(' ').slice(0, 3).join(' '))).toEqual([
      'gateway init my-gateway',
      'gateway servers add',
      'gateway serve --config-dir',
      'gateway servers',
      'gateway tools call',
    ]);
    expect(followed.at(-1)?.output).toBe('Hello, Ada!\n');
  });

  it('prints what the page shows for further servers and for clients', async () => {
    const before = followed.length;
    await runDocumentedSteps(listDocumentedSteps('further'), {
      shell,
      onStep,
      folder: join(folder, 'my-gateway'),
    });
    expect(followed.length).toBeGreaterThan(before + 2);
  });
});
