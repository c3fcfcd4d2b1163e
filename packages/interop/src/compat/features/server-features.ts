import * as z from 'zod';
import type { Driver } from '../drivers/driver.ts';
import type { Gateway } from '../../gateway.ts';
import { connected, expectThat } from './verdict.ts';

/** A server behind the gateways, as its features need it. */
export interface ServerOnStage {
  readonly id: string;
  readonly has: readonly ('prompts' | 'resources')[];
  readonly call: {
    readonly tool: string;
    readonly arguments: Readonly<Record<string, unknown>>;
    readonly shows: string;
  };
}

/** The gateways in front of all servers. */
export interface ServerStage {
  readonly meta: Gateway;
  readonly native: Gateway;
}

/** One feature of the list that every server runs. */
export interface ServerFeature {
  readonly id: string;
  readonly title: string;
  /** Resolves to a remark, or to nothing. */
  readonly run: (
    driver: Driver,
    stage: ServerStage,
    server: ServerOnStage,
  ) => Promise<string | undefined>;
  readonly needs?: 'prompts' | 'resources';
}

const totals = z.object({ total: z.number() });

async function count(driver: Driver, tool: string, args: object): Promise<number> {
  const { texts } = await driver.callTool({ name: tool, arguments: { ...args, limit: 1 } });
  return totals.parse(JSON.parse(texts.join(''))).total;
}

const through = (kind: 'resources' | 'tools', tool: string): ServerFeature => ({
  id: kind,
  title: kind,
  run: (driver, { meta }, { id }) => {
    const headers = { 'X-Gateway-Toolset': `server:${id}` };
    return connected(driver, { url: meta.url, headers }, async () => {
      const total = await count(driver, tool, kind === 'resources' ? { server: id } : {});
      expectThat(total > 0, `no ${kind}`, total);
      return String(total);
    });
  },
  ...(kind === 'resources' && { needs: kind }),
});

const prompts: ServerFeature = {
  id: 'prompts',
  title: 'prompts',
  needs: 'prompts',
  run: (driver, { meta }, { id }) => {
    const headers = { 'X-Gateway-Toolset': `server:${id}` };
    return connected(driver, { url: meta.url, headers }, async () => {
      const total = await count(driver, 'filter_prompts', { server: id });
      expectThat(total > 0, 'no prompts', total);
      return String(total);
    });
  },
};

const call: ServerFeature = {
  id: 'call',
  title: 'call',
  run: (driver, { meta }, { id, call: { tool, arguments: args, shows } }) =>
    connected(driver, { url: meta.url }, async () => {
      const call = { name: `x_${id}_${tool}`, arguments: args };
      const { texts } = await driver.callTool({ name: 'call_tool', arguments: call });
      expectThat(texts.join('\n').includes(shows), 'another answer', texts);
    }),
};

const native: ServerFeature = {
  id: 'native',
  title: 'native mode',
  run: (driver, stage, { id, call: { tool, arguments: args, shows } }) => {
    const headers = { 'X-Gateway-Toolset': `server:${id}` };
    return connected(driver, { url: stage.native.url, headers }, async () => {
      const listed = await driver.listTools();
      const exposed = `x_${id}_${tool}`;
      const name = listed.includes(tool) ? tool : exposed;
      expectThat(listed.includes(name), 'the tool is not listed', listed);
      const { texts } = await driver.callTool({ name, arguments: args });
      expectThat(texts.join('\n').includes(shows), 'another answer', texts);
    });
  },
};

/** The features of servers, in the order of the table. */
export const SERVER_FEATURES: readonly ServerFeature[] = [
  through('tools', 'filter_tools'),
  call,
  through('resources', 'filter_resources'),
  prompts,
  native,
];
