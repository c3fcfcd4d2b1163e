import { link, writeFile } from 'node:fs/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { valueOf } from '../suite/agent-store-suite.ts';
import { NAMESPACE } from '../suite/sample-objects.ts';
import { releaseDirectory } from './release-directory.ts';

const toNonBlankText = (name: string, state: string): string =>
  `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: ${name}}\nspec: {values: {state: ${state}}}\n`;

/** More files than one iteration compares; the first one is compared in the last iteration. */
const NAMES = Array.from({ length: 250 }, (_, index) => `a${String(index).padStart(3, '0')}`);

it('finds within ten seconds a change that the system does not report, among hundreds of files', async () => {
  const directory = await releaseDirectory();
  for (const name of NAMES)
    await directory.write(`releases/default/${name}.yaml`, toNonBlankText(name, 'old'));
  await link(directory.at('releases/default/a000.yaml'), directory.at('elsewhere.yaml'));
  const store = await directory.open();
  const state = async (): Promise<unknown> => {
    const [first] = valueOf(await store.listReleases(NAMESPACE));
    return first?.object.spec?.['values'];
  };
  await writeFile(directory.at('elsewhere.yaml'), toNonBlankText('a000', 'new'));
  expect(await state()).toEqual({ state: 'old' });
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 10_001);
  onTestFinished(() => {
    clock.mockRestore();
  });
  await vi.waitFor(async () => {
    expect(await state()).toEqual({ state: 'new' });
  }, 60_000);
});
