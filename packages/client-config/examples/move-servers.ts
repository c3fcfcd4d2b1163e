import { toLocalServer, mergeConfig, parseImport } from '@gateway/client-config';

/** Returns the `MCPServer` specifications of the servers in a configuration, by name, and the files of their secrets. */
export const importServers = (text: string) => {
  const parsed = parseImport(text);
  if (!parsed.ok) return [];
  return parsed.servers.map(({ name, definition }) => {
    const { spec, secrets } = toLocalServer({ name, definition });
    return { name, spec, files: secrets.map(({ path }) => path) };
  });
};

/** Returns the configuration of Cursor with the gateway added. Everything else in the text stays. */
export const addGateway = (text: string): string => {
  const merged = mergeConfig('cursor', text, {
    name: 'gateway',
    endpoint: { kind: 'http', url: 'http://127.0.0.1:8080/mcp' },
  });
  return merged.ok ? merged.text : merged.problem;
};
