import { createTestConfigDirectory, retryAssertion } from '@gateway/repo-checks';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, callTool, refusalOf, serverInfo, textOf, toolNames } from '../harness/answers.ts';
import { connect, type TestClient } from '../harness/clients.ts';
import { fixture } from '../harness/fixture.ts';
import { launchGateway, untilReady, type RunningGateway } from '../harness/gateway.ts';

/** Within this time every caller of a healthy server is answered, whatever the others do, in milliseconds. */
const BOUNDED_MS = 2000;

const directory = createTestConfigDirectory();
const cured = join(directory.path, 'cured');
let gateway: RunningGateway;
let client: TestClient;

beforeAll(async () => {
  directory.config({ health: { readySeconds: 60 } });
  directory.server('good', fixture('plain'));
  directory.server('silent', { ...fixture('silent'), startTimeout: 10 });
  directory.server('garbage', { ...fixture('garbage'), startTimeout: 10 });
  directory.server('dying', fixture('dying', { env: { CURED: cured } }));
  directory.server('changing', fixture('changing'));
  directory.server('many', fixture('many-tools', { args: ['5000'] }));
  directory.server('missing', { type: 'stdio', command: 'no-such-command', autoStart: true });
  gateway = await launchGateway(directory.path);
  client = await connect(gateway.url);
});

afterAll(async () => {
  await client.close();
  await gateway.stop();
  directory.remove();
});

/** The slowest of some calls of the healthy server, in milliseconds. All must be answered rightly. */
async function slowestEcho(calls: number): Promise<number> {
  let slowest = 0;
  for (let call = 0; call < calls; call += 1) {
    const start = performance.now();
    expect(textOf(await callTool(client, 'x_good_echo', { text: String(call) }))).toBe(
      String(call),
    );
    slowest = Math.max(slowest, performance.now() - start);
  }
  return slowest;
}

describe('a healthy server', () => {
  it('is served while others hang during their start', async () => {
    await retryAssertion(async () => {
      expect(textOf(await callTool(client, 'x_good_echo', { text: 'up' }))).toBe('up');
    });
    expect(await serverInfo(client, 'silent')).toMatchObject({ state: 'Starting' });
    expect((await fetch(new URL('/readyz', gateway.url))).status).toBe(503);
    expect((await fetch(new URL('/healthz', gateway.url))).status).toBe(200);
    expect(await slowestEcho(20)).toBeLessThan(BOUNDED_MS);
  });
});

describe('a server that dies at its start', () => {
  it('is Failed with its reason, and has no tools', async () => {
    await retryAssertion(async () => {
      expect(await serverInfo(client, 'dying')).toMatchObject({
        state: 'Failed',
        error: 'process exited with code 3: cannot start: no disk',
      });
    });
    expect(await refusalOf(client, 'call_tool', { name: 'x_dying_alive' })).toBe(
      'Tool not found: x_dying_alive',
    );
  });

  it('is Failed too when the command does not exist', async () => {
    // It is Starting during each further attempt.
    await retryAssertion(async () => {
      expect(await serverInfo(client, 'missing')).toMatchObject({
        state: 'Failed',
        statusMessage: 'Command not found - check the executable path',
      });
    });
  });

  it('recovers by itself', async () => {
    writeFileSync(cured, '');
    await retryAssertion(async () => {
      expect(textOf(await callTool(client, 'x_dying_alive'))).toBe('alive');
    });
    expect(await serverInfo(client, 'dying')).toMatchObject({ state: 'Running' });
  });
});

describe('a server that lists 5,000 tools', () => {
  it('is served completely, over several pages', async () => {
    await retryAssertion(async () => {
      expect(await ask(client, 'filter_tools', { pattern: 'x_many_*' })).toMatchObject({
        total: 5000,
        filtered_count: 5,
      });
    });
    expect(textOf(await callTool(client, 'x_many_tool_4999'))).toBe('tool_4999');
    expect(await slowestEcho(20)).toBeLessThan(BOUNDED_MS);
  });
});

describe('a server that changes its tools under load', () => {
  const generation = async () => {
    const answer = await ask<{ tools: readonly { name: string }[] }>(client, 'filter_tools', {
      pattern: 'x_changing_generation_*',
    });
    expect(answer.tools).toHaveLength(1);
    return Number(answer.tools[0]?.name.split('_').at(-1));
  };

  it('is kept current, while every call of a remaining tool is answered', async () => {
    const before = await generation();
    let running = true;
    const load = Array.from({ length: 4 }, async () => {
      let answered = 0;
      while (running) {
        expect(textOf(await callTool(client, 'x_changing_steady'))).toBe('steady');
        answered += 1;
      }
      return answered;
    });
    try {
      await retryAssertion(async () => {
        expect(await generation()).toBeGreaterThan(before);
      });
      expect(await slowestEcho(50)).toBeLessThan(BOUNDED_MS);
    } finally {
      running = false;
    }
    expect(Math.min(...(await Promise.all(load)))).toBeGreaterThan(1);
  });
});

describe('servers that never answer or answer with invalid data', () => {
  it('never prevent readiness', async () => {
    await untilReady(gateway);
  });

  it('are Failed after a bounded time', async () => {
    await retryAssertion(async () => {
      expect(await serverInfo(client, 'silent')).toMatchObject({
        state: 'Failed',
        error: 'not ready within 10 s',
      });
      expect(await serverInfo(client, 'garbage')).toMatchObject({
        state: 'Failed',
        error: 'the server answered a request that was not sent (id {"a":1})',
      });
    });
  });

  it('have no tools in the catalog and do not affect the tools of others', async () => {
    const names = await toolNames(client);
    expect(names.filter((name) => /^x_(?:silent|garbage|missing)/u.test(name))).toEqual([]);
    // 8 of good, 1 of dying, 2 of changing, 5,000 of many, 30 of the gateway.
    expect(names).toHaveLength(5041);
  });
});
