import { copyFileSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { resolvePlace, BUILT_GATEWAY } from '../../src/gateway.ts';
import { installUv } from '../../src/compat/packages.ts';
import {
  listDocumentedSteps,
  runDocumentedSteps,
  type Shell,
  startShell,
} from '../../src/compat/own-server.ts';

/** The variables with which this machine reaches PyPI; a server gets them only in its `env`. */
const NETWORK = ['SSL_CERT_FILE', 'HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy'];

const SERVER = {
  name: 'io.github.example/time',
  description: 'The time in zones',
  version: '2026.10.19',
  packages: [
    {
      registryType: 'pypi',
      identifier: 'mcp-server-time',
      version: '2026.10.19',
      runtimeHint: 'uvx',
      packageArguments: [{ type: 'named', name: '--local-timezone', value: 'UTC' }],
      environmentVariables: NETWORK.map((name) => ({ name })),
      transport: { type: 'stdio' },
    },
  ],
};

let folder = '';
let shell: Shell;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gateway-uvx-')));
  const PATH = `${dirname(await installUv())}:${process.env['PATH'] ?? ''}`;
  shell = startShell(folder, { PATH });
  await shell.run(`alias gateway="'${process.execPath}' '${BUILT_GATEWAY}'"`);
  await runDocumentedSteps(listDocumentedSteps('first'), {
    shell,
    folder: join(folder, 'my-gateway'),
  });
});
afterAll(async () => {
  await shell.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Waits until the table of servers has a line that begins with a text. */
const untilRunning = (name: string): Promise<void> =>
  expect
    .poll(async () => (await shell.run('gateway servers')).output, { timeout: 120_000 })
    .toMatch(new RegExp(`^${name} +stdio +Running`, 'mu'));

it('a server of PyPI that gateway servers install writes runs with uvx', async () => {
  writeFileSync(join(folder, 'server.json'), JSON.stringify(SERVER));
  const values = NETWORK.filter((name) => process.env[name] !== undefined);
  const set = values.map((name) => `--set "${name}=$${name}"`).join(' ');
  const { code, output } = await shell.run(
    `gateway servers install ${SERVER.name} --registry ../server.json --config-dir . --as clock --write --start ${set}`,
  );
  expect([code, output]).toEqual([0, expect.stringContaining('mcp-server-time==2026.10.19')]);
  await untilRunning('clock');
  const called = await shell.run(
    'gateway tools call x_clock_convert_time source_timezone=UTC time=12:00 target_timezone=Asia/Tokyo',
  );
  expect(called.output).toContain('T21:00:00');
}, 180_000);

it('the Python script of the quick start runs', async () => {
  copyFileSync(resolvePlace('fixtures/notes.py'), join(folder, 'my-gateway/notes.py'));
  await runDocumentedSteps(listDocumentedSteps('further').slice(0, 1), {
    shell,
    folder: join(folder, 'my-gateway'),
  });
  await untilRunning('notes');
  expect((await shell.run('gateway tools call x_notes_count text=abc')).output).toContain('3');
});
