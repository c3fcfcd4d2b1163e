import * as z from 'zod';
import { Absent, type DriverOptions, type Driver, type ToolResult } from './drivers.ts';
import type { TestGateway } from '../gateway.ts';

export type FeatureVerdict =
  | { readonly kind: 'works'; readonly detail?: string }
  | { readonly kind: 'absent'; readonly reason: string }
  | { readonly kind: 'fails'; readonly problem: string };

/** The longest problem that is recorded. */
const MAX_CHARACTERS = 400;

export function expectThat(holds: boolean, problem: string, seen?: unknown): void {
  if (!holds) throw new Error(seen === undefined ? problem : `${problem}: ${JSON.stringify(seen)}`);
}

/** Runs a feature to its verdict. @param run resolves to a remark, or to nothing; rejects with {@link Absent} or any other error */
export async function toVerdict(
  run: () => Promise<string | undefined>,
  withinMs: number,
): Promise<FeatureVerdict> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no end within ${String(withinMs / 1_000)} s`));
    }, withinMs);
  });
  try {
    const detail = await Promise.race([run(), timeout]);
    return { kind: 'works', ...(detail !== undefined && { detail }) };
  } catch (error) {
    if (error instanceof Absent) return { kind: 'absent', reason: error.message };
    const text = error instanceof Error ? error.message : String(error);
    return { kind: 'fails', problem: text.slice(0, MAX_CHARACTERS) };
  } finally {
    clearTimeout(timer);
  }
}

export interface CompatStage {
  readonly meta: TestGateway;
  readonly native: TestGateway;
  /** Adds a server to the gateway in native mode, so that its list of tools changes. */
  readonly changeTools: () => Promise<void>;
  /** Resolves when the tool `wait` wrote this line since the last call. */
  readonly waitForLine: (line: 'cancelled' | 'started') => Promise<void>;
}

export interface Feature {
  readonly id: string;
  readonly title: string;
  /** Resolves to a remark, or to nothing. */
  readonly run: (driver: Driver, stage: CompatStage) => Promise<string | undefined>;
}

/** Opens a connection, uses it, and closes it. @param use resolves to a remark, or to nothing */
async function withConnection(
  driver: Driver,
  options: DriverOptions,
  use: () => Promise<unknown>,
): Promise<string | undefined> {
  await driver.connect(options);
  try {
    const remark = await use();
    return typeof remark === 'string' ? remark : undefined;
  } finally {
    await driver.close();
  }
}

const createFeature = (
  gateway: 'meta' | 'native',
  id: string,
  title: string,
  use: (driver: Driver, stage: CompatStage) => Promise<unknown>,
): Feature => ({
  id,
  title,
  run: (driver, stage) =>
    withConnection(driver, { url: stage[gateway].url }, () => use(driver, stage)),
});

interface ServerOnStage {
  readonly id: string;
  readonly has: readonly ('prompts' | 'resources')[];
  readonly call: {
    readonly tool: string;
    readonly arguments: Readonly<Record<string, unknown>>;
    readonly shows: string;
  };
}

interface ServerStage {
  readonly meta: TestGateway;
  readonly native: TestGateway;
}

interface ServerFeature {
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

const createServerFeature = (kind: 'resources' | 'tools', tool: string): ServerFeature => ({
  id: kind,
  title: kind,
  run: (driver, { meta }, { id }) => {
    const headers = { 'X-Gateway-Toolset': `server:${id}` };
    return withConnection(driver, { url: meta.url, headers }, async () => {
      const total = await count(driver, tool, kind === 'resources' ? { server: id } : {});
      expectThat(total > 0, `no ${kind}`, total);
      return String(total);
    });
  },
  ...(kind === 'resources' && { needs: kind }),
});

const serverPrompts: ServerFeature = {
  id: 'prompts',
  title: 'prompts',
  needs: 'prompts',
  run: (driver, { meta }, { id }) => {
    const headers = { 'X-Gateway-Toolset': `server:${id}` };
    return withConnection(driver, { url: meta.url, headers }, async () => {
      const total = await count(driver, 'filter_prompts', { server: id });
      expectThat(total > 0, 'no prompts', total);
      return String(total);
    });
  },
};

const serverCall: ServerFeature = {
  id: 'call',
  title: 'call',
  run: (driver, { meta }, { id, call: { tool, arguments: args, shows } }) =>
    withConnection(driver, { url: meta.url }, async () => {
      const call = { name: `x_${id}_${tool}`, arguments: args };
      const { texts } = await driver.callTool({ name: 'call_tool', arguments: call });
      expectThat(texts.join('\n').includes(shows), 'another answer', texts);
    }),
};

const serverNative: ServerFeature = {
  id: 'native',
  title: 'native mode',
  run: (driver, stage, { id, call: { tool, arguments: args, shows } }) => {
    const headers = { 'X-Gateway-Toolset': `server:${id}` };
    return withConnection(driver, { url: stage.native.url, headers }, async () => {
      const listed = await driver.listTools();
      const exposed = `x_${id}_${tool}`;
      const name = listed.includes(tool) ? tool : exposed;
      expectThat(listed.includes(name), 'the tool is not listed', listed);
      const { texts } = await driver.callTool({ name, arguments: args });
      expectThat(texts.join('\n').includes(shows), 'another answer', texts);
    });
  },
};

export const SERVER_FEATURES: readonly ServerFeature[] = [
  createServerFeature('tools', 'filter_tools'),
  serverCall,
  createServerFeature('resources', 'filter_resources'),
  serverPrompts,
  serverNative,
];

const PNG = [0x89, 0x50, 0x4e, 0x47];

const callThroughMeta = (
  driver: Driver,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<ToolResult> =>
  driver.callTool({ name: 'call_tool', arguments: { name, arguments: args } });

const callEcho = async (driver: Driver): Promise<void> => {
  const result = await callThroughMeta(driver, 'x_everything_echo', { message: 'hello' });
  expectThat(result.texts.join('') === 'Echo: hello', 'the answer is not that of the tool', result);
};

const initialize: Feature = {
  id: 'initialize',
  title: 'initialize',
  run: async (driver, { meta }) => {
    const info = await driver.connect({ url: meta.url });
    await driver.close();
    expectThat(info.server === 'gateway', 'the server is not the gateway', info);
    expectThat(/^\d{4}-\d\d-\d\d$/u.test(info.protocol), 'no protocol revision', info);
    return info.protocol;
  },
};

const listTools = createFeature('meta', 'list', 'tools/list', async (driver) => {
  const names = await driver.listTools();
  const isMeta = names.includes('call_tool') && !names.some((name) => name.startsWith('x_'));
  expectThat(isMeta, 'not the meta-tools', names);
});

const metaTool = createFeature('meta', 'meta-tool', 'meta-tool', async (driver) => {
  const query = { query: 'sum of numbers', limit: 1 };
  const { texts } = await driver.callTool({ name: 'filter_tools', arguments: query });
  expectThat(texts.join('').includes('"total"'), 'no list of tools', texts);
});

const call = createFeature('meta', 'call', '`call_tool`', async (driver) => {
  await callEcho(driver);
});

const toolset: Feature = {
  id: 'toolset',
  title: 'toolset header',
  run: (driver, { meta }) => {
    const headers = { 'X-Gateway-Toolset': 'server:everything' };
    return withConnection(driver, { url: meta.url, headers }, async () => {
      await callEcho(driver);
      const refused = await callThroughMeta(driver, 'x_memory_read_graph', {});
      const namesToolset = refused.texts.join('').includes('[server:everything]');
      expectThat(refused.isError && namesToolset, 'not refused', refused);
    });
  },
};

const progress = createFeature('meta', 'progress', 'progress', async (driver) => {
  const name = 'x_everything_trigger-long-running-operation';
  const result = await driver.callTool({
    name: 'call_tool',
    arguments: { name, arguments: { duration: 0.6, steps: 3 } },
    progress: true,
  });
  // The last ones may arrive after the result, over a bridge.
  expectThat((result.progress ?? 0) >= 1, 'no notification', result);
});

const cancel: Feature = {
  id: 'cancel',
  title: 'cancel',
  run: (driver, { meta, waitForLine }) =>
    withConnection(driver, { url: meta.url }, async () => {
      await driver.startCall({ name: 'call_tool', arguments: { name: 'x_waiting_wait' } });
      await waitForLine('started');
      await driver.cancelCall();
      await waitForLine('cancelled');
      await callEcho(driver);
    }),
};

const elicitation: Feature = {
  id: 'elicitation',
  title: 'elicitation',
  run: (driver, { meta }) =>
    withConnection(driver, { url: meta.url, answer: { name: 'Ada' } }, async () => {
      const result = await callThroughMeta(driver, 'x_everything_trigger-elicitation-request', {});
      expectThat(result.texts.join('').includes('Ada'), 'no answer of the user', result);
    }),
};

const structured = createFeature('meta', 'structured', 'structured output', async (driver) => {
  const args = { location: 'New York' };
  const result = await callThroughMeta(driver, 'x_everything_get-structured-content', args);
  const content = result.structured;
  const has = typeof content === 'object' && content !== null && 'temperature' in content;
  expectThat(has, 'no structured content', result);
});

const image = createFeature('meta', 'image', 'images', async (driver) => {
  const { images } = await callThroughMeta(driver, 'x_everything_get-tiny-image', {});
  const start = Buffer.from(images[0]?.data ?? '', 'base64').subarray(0, PNG.length);
  expectThat(Buffer.from(PNG).equals(start), 'no image', images.length);
});

const META_FEATURES: readonly Feature[] = [
  initialize,
  listTools,
  metaTool,
  call,
  toolset,
  progress,
  cancel,
  elicitation,
  structured,
  image,
];

const DOCUMENT = 'demo://resource/static/document/features.md';

const native = createFeature('native', 'native', 'native mode', async (driver) => {
  const names = await driver.listTools();
  expectThat(names.includes('echo'), 'the tool is not listed', names);
  const result = await driver.callTool({ name: 'echo', arguments: { message: 'hello' } });
  expectThat(result.texts.join('') === 'Echo: hello', 'another answer', result);
});

const resources = createFeature('native', 'resources', 'resources', async (driver) => {
  const listed = await ignoreAbsence(driver.listResources());
  if (listed !== undefined) expectThat(listed.includes(DOCUMENT), 'not listed', listed);
  const texts = await driver.readResource(DOCUMENT);
  expectThat(texts.join('').includes('Everything Server'), 'another text', texts);
  return listed === undefined ? 'reads, does not list' : undefined;
});

const prompts = createFeature('native', 'prompts', 'prompts', async (driver) => {
  const listed = await ignoreAbsence(driver.listPrompts());
  if (listed !== undefined) expectThat(listed.includes('simple-prompt'), 'not listed', listed);
  const texts = await driver.getPrompt('simple-prompt');
  expectThat(texts.join('').includes('simple prompt'), 'another text', texts);
  return listed === undefined ? 'reads, does not list' : undefined;
});

async function ignoreAbsence<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Absent) return undefined;
    throw error;
  }
}

const listChanged = createFeature(
  'native',
  'list-changed',
  '`list_changed`',
  async (driver, stage) => {
    const before = await driver.listTools();
    await driver.watch();
    await stage.changeTools();
    await driver.waitForChange();
    const after = await driver.listTools();
    expectThat(after.length !== before.length, 'the list is the old one', after);
  },
);

const restart: Feature = {
  id: 'restart',
  title: 'restart of the gateway',
  run: async (driver, stage) => {
    const { native: gateway } = stage;
    const hello = async (): Promise<void> => {
      const result = await driver.callTool({ name: 'echo', arguments: { message: 'hello' } });
      expectThat(result.texts.join('') === 'Echo: hello', 'another answer', result);
    };
    await driver.connect({ url: gateway.url });
    await hello();
    await gateway.restart();
    try {
      await hello();
      await driver.close();
      return undefined;
    } catch {
      await driver.close().catch(() => undefined);
      return await withConnection(driver, { url: gateway.url }, async () => {
        await hello();
        return 'with a new connection';
      });
    }
  },
};

const NATIVE_FEATURES: readonly Feature[] = [native, resources, prompts, listChanged, restart];

export const FEATURES: readonly Feature[] = [...META_FEATURES, ...NATIVE_FEATURES];
