import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The `spec` of an `MCPServer`. */
export type ServerSpec = Readonly<Record<string, unknown>>;

/** A configuration directory of a gateway. */
export interface ConfigDirectory {
  readonly path: string;
  readonly write: (name: string, spec: ServerSpec) => void;
  readonly remove: (name: string) => void;
}

/** Creates a configuration directory with these servers. */
export function createConfigDirectory(
  path: string,
  servers: ReadonlyMap<string, ServerSpec>,
): ConfigDirectory {
  const fileOf = (name: string): string => join(path, 'mcpservers', `${name}.yaml`);
  const write = (name: string, spec: ServerSpec): void => {
    const resource = {
      apiVersion: 'gateway.internal/v1alpha1',
      kind: 'MCPServer',
      metadata: { name },
      spec: { ...spec, autoStart: true },
    };
    // JSON is YAML too.
    writeFileSync(fileOf(name), JSON.stringify(resource, undefined, 2));
  };
  mkdirSync(join(path, 'mcpservers'), { recursive: true });
  for (const [name, spec] of servers) write(name, spec);
  return {
    path,
    write,
    remove: (name) => {
      rmSync(fileOf(name));
    },
  };
}
