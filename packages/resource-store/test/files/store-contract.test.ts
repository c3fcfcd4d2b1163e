import { storeContract } from '../store-contract.suite.ts';
import { openedDirectory } from './configuration-directory.ts';

storeContract('a configuration directory', async () => {
  const { store, replace, remove } = await openedDirectory();
  const fileOf = (name: string): string => `mcpservers/${name}.yaml`;
  return {
    store,
    // JSON is valid YAML.
    writeServer: (document) => replace(fileOf(document.metadata.name), JSON.stringify(document)),
    deleteServer: (name) => remove(fileOf(name)),
    invalidSpec: { type: 'stdio' },
  };
});
