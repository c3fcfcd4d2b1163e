import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { fixture } from '../../harness/fixture.ts';
import { startGateway } from '../../harness/gateway.ts';
import { testDirectory } from '../../harness/lifetime.ts';

const ROUNDS = 3_000;
const WARM_UP = 300;

const median = (durations: readonly number[]): number =>
  durations.toSorted((a, b) => a - b)[Math.floor(durations.length / 2)] ?? 0;

/** Returns the probability that a duration of `a` is longer than one of `b`, from all pairs of one round. */
const longerShare = (a: readonly number[], b: readonly number[]): number =>
  a.filter((duration, round) => duration > (b[round] ?? 0)).length / a.length;

it.each(['meta', 'native'] as const)(
  'a caller of a gateway with --expose %s cannot distinguish hidden and missing tools by the time of a call',
  { timeout: 60_000 },
  async (expose) => {
    const directory = testDirectory();
    directory.server('inside', fixture('plain'));
    directory.server('hidden', fixture('plain'));
    const gateway = await startGateway(directory.path, { args: ['--expose', expose] });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const call = async (tool: string): Promise<string> => {
      const params =
        expose === 'meta' ? { name: 'call_tool', arguments: { name: tool } } : { name: tool };
      const response = await new Promise<NodeJS.ReadableStream>((resolve, reject) => {
        const headers = {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'X-Gateway-Toolset': 'server:inside',
        };
        request(new URL('/mcp', gateway.url), { agent, method: 'POST', headers })
          .on('response', resolve)
          .on('error', reject)
          .end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
      });
      return text(response);
    };
    const durations = { hidden: [] as number[], absent: [] as number[] };
    for (let round = -WARM_UP; round < ROUNDS; round += 1) {
      const order =
        round % 2 === 0 ? (['hidden', 'absent'] as const) : (['absent', 'hidden'] as const);
      for (const server of order) {
        const start = performance.now();
        const answer = await call(`x_${server}_echo`);
        if (round >= 0) durations[server].push((performance.now() - start) * 1_000);
        else expect(answer).toContain(`x_${server}_echo\\" is outside the toolset [server:inside]`);
      }
    }
    const share = longerShare(durations.hidden, durations.absent);
    const [hidden, absent] = [median(durations.hidden), median(durations.absent)];
    process.stdout.write(
      `${expose}: median hidden ${hidden.toFixed(1)} µs, absent ${absent.toFixed(1)} µs, share ${share.toFixed(3)}\n`,
    );
    // Chance moves the share by less than 0.05 with 3,000 pairs.
    expect(Math.abs(share - 0.5)).toBeLessThan(0.15);
  },
);
