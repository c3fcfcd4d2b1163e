import { chooseVersion, chooseWay, parseRegistry, planInstall } from '@gateway/server-registry';

/** Returns the `spec` of the `MCPServer` for a `server.json`, and the paths of its secrets; `undefined` when a value is missing. */
export const specOf = (text: string, values: Readonly<Record<string, string>>) => {
  const parsed = parseRegistry(text);
  const server = parsed.ok ? chooseVersion(parsed.document.servers) : undefined;
  const chosen = server === undefined ? undefined : chooseWay(server);
  if (server === undefined || chosen?.ok !== true) return undefined;
  const answers = new Map(Object.entries(values).map(([name, value]) => [name, [value]]));
  const plan = planInstall({ server, way: chosen.way, name: 'weather', answers });
  return plan.ok ? { spec: plan.spec, files: plan.secrets.map(({ path }) => path) } : undefined;
};
