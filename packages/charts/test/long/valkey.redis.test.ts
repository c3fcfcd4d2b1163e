import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRedisProgram, findFreePort } from '@gateway/test-peers';
import { expect, it, vi } from 'vitest';
import { gatewayObjects } from '../gateway/gateway-chart.ts';
import { objectOf, type Deployment } from '../harness/rendered-objects.ts';

const PASSWORD = 'aB3+/=$x`y';

/** The answer to a command, after the password unless it is empty. */
const answerOf = (port: number, command: string, password = ''): Promise<string> =>
  new Promise((answered, failed) => {
    const auth =
      password === '' ? '' : `*2\r\n$4\r\nAUTH\r\n$${password.length}\r\n${password}\r\n`;
    const socket = connect(port, '127.0.0.1', () => socket.write(`${auth}${command}\r\n`));
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (text.split('\r\n').length > (auth === '' ? 1 : 2)) socket.destroy();
    });
    socket.on('error', failed).on('close', () => answered(text));
  });

it('the command of the Valkey server reads the password from standard input, and gets signals', async () => {
  const objects = await gatewayObjects({
    stateSecret: { existingSecret: 'state' },
    valkey: { enabled: true },
  });
  const { template } = objectOf(objects, 'StatefulSet')['spec'] as Deployment;
  const command = template.spec.containers[0]?.['command'] as readonly string[];
  const folder = mkdtempSync(join(tmpdir(), 'valkey-'));
  const [data, programs] = [join(folder, 'data'), join(folder, 'programs')];
  for (const path of [data, programs]) mkdirSync(path);
  // Redis understands the same command line. The file of the program can have another name.
  symlinkSync(await findRedisProgram(), join(programs, 'redis-server'));
  const port = await findFreePort();
  const [shell = '', ...args] = command.map((text) =>
    text
      .replace('valkey-server -', `redis-server - --port ${port.toString()} --bind 127.0.0.1`)
      .replace('/data', data),
  );
  const env = { PATH: `${programs}:${process.env['PATH'] ?? ''}`, PASSWORD };
  const child = spawn(shell, args, { env, stdio: 'ignore' });
  const exited = once(child, 'exit');
  try {
    await vi.waitFor(async () => {
      expect(await answerOf(port, 'PING')).toContain('NOAUTH');
    }, 60_000);
    expect(await answerOf(port, 'PING', PASSWORD)).toBe('+OK\r\n+PONG\r\n');
    expect(child.spawnargs.join(' ')).not.toContain(PASSWORD);
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
    await exited;
    rmSync(folder, { recursive: true });
  }
});
