import type { Driver, ToolResult } from '../drivers/driver.ts';
import { connected, type Feature } from './feature.ts';
import { expectThat } from './verdict.ts';

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

const listTools: Feature = {
  id: 'list',
  title: 'tools/list',
  run: (driver, { meta }) =>
    connected(driver, { url: meta.url }, async () => {
      const names = await driver.listTools();
      expectThat(names.length === 13 && names.includes('call_tool'), 'not the meta-tools', names);
      return undefined;
    }),
};

const metaTool: Feature = {
  id: 'meta-tool',
  title: 'meta-tool',
  run: (driver, { meta }) =>
    connected(driver, { url: meta.url }, async () => {
      const query = { query: 'sum of numbers', limit: 1 };
      const { texts } = await driver.callTool({ name: 'filter_tools', arguments: query });
      expectThat(texts.join('').includes('"total"'), 'no list of tools', texts);
      return undefined;
    }),
};

const call: Feature = {
  id: 'call',
  title: '`call_tool`',
  run: (driver, { meta }) =>
    connected(driver, { url: meta.url }, async () => {
      await echo(driver);
      return undefined;
    }),
};

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
      return undefined;
    });
  },
};

const progress: Feature = {
  id: 'progress',
  title: 'progress',
  run: (driver, { meta }) =>
    connected(driver, { url: meta.url }, async () => {
      const name = 'x_everything_trigger-long-running-operation';
      const result = await driver.callTool({
        name: 'call_tool',
        arguments: { name, arguments: { duration: 0.6, steps: 3 } },
        progress: true,
      });
      // The last ones may arrive after the result, over a bridge.
      expectThat((result.progress ?? 0) >= 1, 'no notification', result);
      return undefined;
    }),
};

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
      return undefined;
    }),
};

const elicitation: Feature = {
  id: 'elicitation',
  title: 'elicitation',
  run: (driver, { meta }) =>
    connected(driver, { url: meta.url, answer: { name: 'Ada' } }, async () => {
      const result = await callThroughMeta(driver, 'x_everything_trigger-elicitation-request', {});
      expectThat(result.texts.join('').includes('Ada'), 'no answer of the person', result);
      return undefined;
    }),
};

const structured: Feature = {
  id: 'structured',
  title: 'structured output',
  run: (driver, { meta }) =>
    connected(driver, { url: meta.url }, async () => {
      const args = { location: 'New York' };
      const result = await callThroughMeta(driver, 'x_everything_get-structured-content', args);
      const content = result.structured;
      const has = typeof content === 'object' && content !== null && 'temperature' in content;
      expectThat(has, 'no structured content', result);
      return undefined;
    }),
};

const image: Feature = {
  id: 'image',
  title: 'images',
  run: (driver, { meta }) =>
    connected(driver, { url: meta.url }, async () => {
      const { images } = await callThroughMeta(driver, 'x_everything_get-tiny-image', {});
      const start = Buffer.from(images[0]?.data ?? '', 'base64').subarray(0, PNG.length);
      expectThat(Buffer.from(PNG).equals(start), 'no image', images.length);
      return undefined;
    }),
};

/** The features of the meta-tools. */
export const META_FEATURES: readonly Feature[] = [
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
