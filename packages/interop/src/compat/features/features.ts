import { Absent, type Driver, type ToolResult } from '../drivers/driver.ts';
import { connected, expectThat, feature, type Feature } from './verdict.ts';

const PNG = [0x89, 0x50, 0x4e, 0x47];

const callThroughMeta = (
  driver: Driver,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<ToolResult> =>
  driver.callTool({ name: 'call_tool', arguments: { name, arguments: args } });

const echo = async (driver: Driver): Promise<void> => {
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

const listTools = feature('meta', 'list', 'tools/list', async (driver) => {
  const names = await driver.listTools();
  expectThat(names.length === 13 && names.includes('call_tool'), 'not the meta-tools', names);
});

const metaTool = feature('meta', 'meta-tool', 'meta-tool', async (driver) => {
  const query = { query: 'sum of numbers', limit: 1 };
  const { texts } = await driver.callTool({ name: 'filter_tools', arguments: query });
  expectThat(texts.join('').includes('"total"'), 'no list of tools', texts);
});

const call = feature('meta', 'call', '`call_tool`', async (driver) => {
  await echo(driver);
});

const toolset: Feature = {
  id: 'toolset',
  title: 'toolset header',
  run: (driver, { meta }) => {
    const headers = { 'X-Gateway-Toolset': 'server:everything' };
    return connected(driver, { url: meta.url, headers }, async () => {
      await echo(driver);
      const refused = await callThroughMeta(driver, 'x_memory_read_graph', {});
      const text = 'tool "x_memory_read_graph" is outside the toolset [server:everything]';
      expectThat(refused.isError && refused.texts.join('').includes(text), 'not refused', refused);
    });
  },
};

const progress = feature('meta', 'progress', 'progress', async (driver) => {
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
  run: (driver, { meta, waitingServerWrote }) =>
    connected(driver, { url: meta.url }, async () => {
      await driver.startCall({ name: 'call_tool', arguments: { name: 'x_waiting_wait' } });
      await waitingServerWrote('started');
      await driver.cancelCall();
      await waitingServerWrote('cancelled');
      await echo(driver);
    }),
};

const elicitation: Feature = {
  id: 'elicitation',
  title: 'elicitation',
  run: (driver, { meta }) =>
    connected(driver, { url: meta.url, answer: { name: 'Ada' } }, async () => {
      const result = await callThroughMeta(driver, 'x_everything_trigger-elicitation-request', {});
      expectThat(result.texts.join('').includes('Ada'), 'no answer of the person', result);
    }),
};

const structured = feature('meta', 'structured', 'structured output', async (driver) => {
  const args = { location: 'New York' };
  const result = await callThroughMeta(driver, 'x_everything_get-structured-content', args);
  const content = result.structured;
  const has = typeof content === 'object' && content !== null && 'temperature' in content;
  expectThat(has, 'no structured content', result);
});

const image = feature('meta', 'image', 'images', async (driver) => {
  const { images } = await callThroughMeta(driver, 'x_everything_get-tiny-image', {});
  const start = Buffer.from(images[0]?.data ?? '', 'base64').subarray(0, PNG.length);
  expectThat(Buffer.from(PNG).equals(start), 'no image', images.length);
});

/** The features of the meta-tools. */
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

const native = feature('native', 'native', 'native mode', async (driver) => {
  const names = await driver.listTools();
  expectThat(names.includes('echo'), 'the tool is not listed', names);
  const result = await driver.callTool({ name: 'echo', arguments: { message: 'hello' } });
  expectThat(result.texts.join('') === 'Echo: hello', 'another answer', result);
});

const resources = feature('native', 'resources', 'resources', async (driver) => {
  const listed = await unlessAbsent(driver.listResources());
  if (listed !== undefined) expectThat(listed.includes(DOCUMENT), 'not listed', listed);
  const texts = await driver.readResource(DOCUMENT);
  expectThat(texts.join('').includes('Everything Server'), 'another text', texts);
  return listed === undefined ? 'reads, does not list' : undefined;
});

const prompts = feature('native', 'prompts', 'prompts', async (driver) => {
  const listed = await unlessAbsent(driver.listPrompts());
  if (listed !== undefined) expectThat(listed.includes('simple-prompt'), 'not listed', listed);
  const texts = await driver.getPrompt('simple-prompt');
  expectThat(texts.join('').includes('simple prompt'), 'another text', texts);
  return listed === undefined ? 'reads, does not list' : undefined;
});

async function unlessAbsent<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Absent) return undefined;
    throw error;
  }
}

const listChanged = feature('native', 'list-changed', '`list_changed`', async (driver, stage) => {
  const before = await driver.listTools();
  await driver.watch();
  await stage.changeTools();
  await driver.waitForChange();
  const after = await driver.listTools();
  expectThat(after.length !== before.length, 'the list is the old one', after);
});

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
      return await connected(driver, { url: gateway.url }, async () => {
        await hello();
        return 'with a new connection';
      });
    }
  },
};

/** The features of native mode, and a restart. */
const NATIVE_FEATURES: readonly Feature[] = [native, resources, prompts, listChanged, restart];

/** The features, in the order of the table. */
export const FEATURES: readonly Feature[] = [...META_FEATURES, ...NATIVE_FEATURES];
