import { retryAssertion } from '@gateway/repo-checks';
import { findFreePort } from '@gateway/test-peers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runCommand, type CommandRun } from '../harness/cli.ts';
import { startGateway, type RunningGateway } from '../harness/gateway.ts';
import { fixture } from '../harness/fixture.ts';
import { testDirectory } from '../harness/lifetime.ts';

const directory = testDirectory();
const spec = fixture('talking');
let port = '';
let gateway: RunningGateway;
const start = async (): Promise<void> => {
  gateway = await startGateway(directory.path, { args: ['--port', port] });
};

beforeAll(async () => {
  port = String(await findFreePort());
});
beforeEach(async () => {
  directory.server('talks', spec);
  await start();
});
interface Following {
  readonly printed: () => string;
  readonly noted: () => string;
  readonly interrupt: () => Promise<CommandRun>;
}

const follow = (...args: readonly string[]): Following => {
  const interrupted = new AbortController();
  const written = { stdout: '', stderr: '' };
  const ended = runCommand([...args, '--follow', '--url', gateway.url.href], {
    interrupted: interrupted.signal,
    onStdout: (text) => (written.stdout += text),
    onStderr: (text) => (written.stderr += text),
  });
  return {
    printed: () => written.stdout,
    noted: () => written.stderr,
    interrupt: () => {
      interrupted.abort();
      return ended;
    },
  };
};

/** The lines about an outage of the gateway, which has one reason of several. */
const outages = (text: string): readonly string[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replace(/\([^)]*\)/u, '(…)'));
const named = (): string => `gateway: the gateway at ${gateway.url.href}mcp`;
const away = (): string => `${named()} is not available (…); waiting for it until Ctrl+C`;
const back = (): string => `${named()} is available again`;

describe.each(['SIGTERM', 'SIGKILL'] as const)('after %s of the gateway', (signal) => {
  it('gateway events --follow continues without repeated or lost events', async () => {
    const following = follow('events', '--output', 'json', '--kind', 'mcpserver');
    await retryAssertion(() => {
      expect(following.printed()).toContain('MCPServerStarted');
    });
    const before = following.printed();
    await gateway.stop(signal);
    await retryAssertion(() => {
      expect(outages(following.noted())).toEqual([away()]);
    });
    await start();
    await retryAssertion(() => {
      expect(outages(following.noted())).toEqual([away(), back()]);
    });
    await runCommand(['servers', 'restart', 'talks', '--url', gateway.url.href]);
    await retryAssertion(() => {
      expect(following.printed().slice(before.length)).toContain('MCPServerRestarting');
    });
    const { code, stdout } = await following.interrupt();
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    const url = gateway.url.href;
    const asked = ['events', '--output', 'json', '--kind', 'mcpserver', '--limit', '1000'];
    const all = JSON.parse((await runCommand([...asked, '--url', url])).stdout) as object[];
    const reasons = (events: readonly object[]) =>
      new Set(events.map((event) => (event as { reason: string }).reason));
    const printed = lines.map((line) => JSON.parse(line) as object);
    expect([...reasons(all)].filter((reason) => !reasons(printed).has(reason))).toEqual([]);
    // Each answer lists an event once: what was printed before is not printed again.
    const first = before.trimEnd().split('\n');
    expect(lines.slice(first.length).filter((line) => first.includes(line))).toEqual([]);
  });

  it('gateway servers logs --follow shows the lines of the new process', async () => {
    const following = follow('servers', 'logs', 'talks');
    await retryAssertion(() => {
      expect(following.printed().match(/process \d+/gu)).toHaveLength(1);
    });
    await gateway.stop(signal);
    await retryAssertion(() => {
      expect(outages(following.noted())).toEqual([away()]);
    });
    await start();
    await retryAssertion(() => {
      expect(new Set(following.printed().match(/process \d+/gu)).size).toBe(2);
    });
    expect(outages(following.noted())).toEqual([away(), back()]);
    expect((await following.interrupt()).code).toBe(0);
    expect(following.printed().match(/process \d+/gu)).toHaveLength(2);
  });
});

it('gateway servers logs --follow waits for a server whose file is invalid for a while', async () => {
  const following = follow('servers', 'logs', 'talks');
  await retryAssertion(() => {
    expect(following.printed()).toContain('process ');
  });
  directory.server('talks', { type: 'none' });
  const name = `gateway: server "talks" of the gateway at ${gateway.url.href}mcp`;
  const lost = `${name} is not available (…); waiting for it until Ctrl+C`;
  await retryAssertion(() => {
    expect(outages(following.noted())).toEqual([lost]);
  });
  directory.server('talks', spec);
  await retryAssertion(() => {
    expect(outages(following.noted())).toEqual([lost, `${name} is available again`]);
  });
  expect((await following.interrupt()).code).toBe(0);
});
