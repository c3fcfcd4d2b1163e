import { storeContract } from '../store-contract.suite.ts';
import { configurationDirectory, opened } from './configuration-directory.ts';

storeContract('a configuration directory', async () => {
  const { directory, replace, remove, write } = await configurationDirectory();
  const fileOf = (name: string): string => `mcpservers/${name}.yaml`;
  return {
    store: await opened({ directory }),
    // JSON is valid YAML.
    writeServer: (document) => replace(fileOf(document.metadata.name), JSON.stringify(document)),
    deleteServer: (name) => remove(fileOf(name)),
    writeInvalidServer: (name) => write(fileOf(name), 'kind: MCPServer\n'),
  };
});
