import { PassThrough } from 'node:stream';
import { retryAssertion } from '@gateway/repo-checks';
import { expect, it } from 'vitest';
import { findFreePort } from '@gateway/test-peers';
import { runCommand } from '../harness/cli.ts';
import { fixture } from '../harness/fixture.ts';
import { startGateway, type RunningGateway } from '../harness/gateway.ts';
import { setUp, testDirectory } from '../harness/lifetime.ts';

const directory = testDirectory();
let gateway: RunningGateway;
let args: readonly string[];

setUp(async () => {
  directory.server('demo', fixture('plain'));
  args = ['--port', (await findFreePort()).toString(), '--log-level', 'debug'];
  gateway = await startGateway(directory.path, { args });
});

it('completes names, cancels a call, and goes on after a restart of the gateway', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let screen = '';
  output.on('data', (piece: Buffer) => {
    screen += piece.toString();
  });
  let results = '';
  const ended = runCommand(['shell', '--url', gateway.url.href], {
    env: { XDG_STATE_HOME: directory.path, NO_COLOR: '1' },
    user: { input, output },
    onStdout: (text) => {
      results += text;
    },
  });
  const shows = (text: string) =>
    retryAssertion(() => {
      expect(screen + results).toContain(text);
    });
  await shows('gateway> ');
  input.write('tools call x_demo_ec\t');
  await shows('x_demo_echo ');
  input.write('text=first\n');
  await shows('first');
  input.write('tools call x_demo_hang\n');
  await shows('tools call x_demo_hang');
  input.write('\u0003');
  await shows('^C');
  await gateway.stop();
  gateway = await startGateway(directory.path, { args });
  input.write("tools call x_demo_echo 'text=after 🦊'\n");
  await retryAssertion(() => {
    expect(results).toContain('after 🦊');
  });
  input.write('exit\n');
  expect((await ended).code).toBe(0);
});

it('runs the lines of standard input', async () => {
  const text = 'x'.repeat(16_384);
  const { code, stdout, stderr } = await runCommand(['shell', '--url', gateway.url.href], {
    stdin: `servers list\n# comment\ntools call x_demo_echo text=${text}\nservers get __proto__\n`,
  });
  expect(stdout).toContain('demo');
  expect(stdout).toContain(text);
  expect(stderr).toContain('__proto__');
  expect(code).toBe(1);
});
