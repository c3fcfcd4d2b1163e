import { storeContract } from '../store-contract.suite.ts';
import { openedDirectory } from './configuration-directory.ts';

storeContract('a configuration directory', async () => {
  const { store, replace, remove, files, text } = await openedDirectory();
  const fileOf = (name: string): string => `mcpservers/${name}.yaml`;
  return {
    store,
    // JSON is valid YAML.
    writeServer: (document) => replace(fileOf(document.metadata.name), JSON.stringify(document)),
    deleteServer: (name) => remove(fileOf(name)),
    readSecrets: async (name) => {
      const keys = await files(`secrets/${name}`).catch(() => undefined);
      if (keys === undefined) return undefined;
      const texts = keys.map(async (key) => {
        const value = await text(`secrets/${name}/${key}`);
        return [key, value.replace(/\n$/u, '')] as const;
      });
      return Object.fromEntries(await Promise.all(texts));
    },
    secretName: 'a',
    invalidSpec: { type: 'stdio' },
  };
});
