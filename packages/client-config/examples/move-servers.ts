import {
  createSecretPlace,
  mergeConfig,
  parseImport,
  extractSecrets,
  toLocalServer,
} from '@gateway/client-config';

/** Returns the `MCPServer` specifications of the servers in a configuration, by name, and the keys of their secrets. */
export const importServers = (text: string) => {
  const parsed = parseImport(text);
  if (!parsed.ok) return [];
  return parsed.servers.flatMap(({ name, definition }) => {
    const { spec } = toLocalServer({ name, definition });
    const place = createSecretPlace(name, 'files');
    const extracted = extractSecrets({ place, before: {}, change: spec });
    if (!extracted.ok) return [];
    const { change, secrets } = extracted;
    return [{ name, spec: change, keys: secrets.map(({ key }) => key) }];
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
