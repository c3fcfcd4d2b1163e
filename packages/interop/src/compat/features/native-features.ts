import { Absent } from '../drivers/driver.ts';
import { connected, type Feature } from './feature.ts';
import { expectThat } from './verdict.ts';

const DOCUMENT = 'demo://resource/static/document/features.md';

const native: Feature = {
  id: 'native',
  title: 'native mode',
  run: (driver, stage) =>
    connected(driver, { url: stage.native.url }, async () => {
      const names = await driver.listTools();
      expectThat(names.includes('echo'), 'the tool is not listed', names);
      const result = await driver.callTool({ name: 'echo', arguments: { message: 'hello' } });
      expectThat(result.texts.join('') === 'Echo: hello', 'another answer', result);
      return undefined;
    }),
};

const resources: Feature = {
  id: 'resources',
  title: 'resources',
  run: (driver, stage) =>
    connected(driver, { url: stage.native.url }, async () => {
      const listed = await unlessAbsent(driver.listResources());
      if (listed !== undefined) expectThat(listed.includes(DOCUMENT), 'not listed', listed);
      const texts = await driver.readResource(DOCUMENT);
      expectThat(texts.join('').includes('Everything Server'), 'another text', texts);
      return listed === undefined ? 'reads, does not list' : undefined;
    }),
};

const prompts: Feature = {
  id: 'prompts',
  title: 'prompts',
  run: (driver, stage) =>
    connected(driver, { url: stage.native.url }, async () => {
      const listed = await unlessAbsent(driver.listPrompts());
      if (listed !== undefined) expectThat(listed.includes('simple-prompt'), 'not listed', listed);
      const texts = await driver.getPrompt('simple-prompt');
      expectThat(texts.join('').includes('simple prompt'), 'another text', texts);
      return listed === undefined ? 'reads, does not list' : undefined;
    }),
};

async function unlessAbsent<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Absent) return undefined;
    throw error;
  }
}

const listChanged: Feature = {
  id: 'list-changed',
  title: '`list_changed`',
  run: (driver, stage) =>
    connected(driver, { url: stage.native.url }, async () => {
      const before = await driver.listTools();
      await driver.watch();
      await stage.changeTools();
      await driver.waitForChange();
      const after = await driver.listTools();
      expectThat(after.length !== before.length, 'the list is the old one', after);
      return undefined;
    }),
};

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
export const NATIVE_FEATURES: readonly Feature[] = [
  native,
  resources,
  prompts,
  listChanged,
  restart,
];
