import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';

/** A configuration directory of a test's own, removed by `remove`. */
export interface ConfigDirectory {
  readonly path: string;
  write(file: string, text: string): void;
  delete(file: string): void;
  /** Writes `mcpservers/<name>.yaml`. */
  server(name: string, spec: object, labels?: Readonly<Record<string, string>>): void;
  /** Writes `workflows/<name>.yaml`. */
  workflow(name: string, spec: object): void;
  /** Writes `config.yaml`. */
  config(value: object): void;
  remove(): void;
}

/** Makes an empty configuration directory under the system's temporary directory. */
export function createTestConfigDirectory(): ConfigDirectory {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'gateway-test-')));
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), text);
  };
  const resource = (kind: string, metadata: object, spec: object): string =>
    stringify({ apiVersion: 'gateway.internal/v1alpha1', kind, metadata, spec });
  return {
    path,
    write,
    delete: (file) => {
      rmSync(join(path, file));
    },
    server: (name, spec, labels = {}) => {
      write(`mcpservers/${name}.yaml`, resource('MCPServer', { name, labels }, spec));
    },
    workflow: (name, spec) => {
      write(`workflows/${name}.yaml`, resource('Workflow', { name }, spec));
    },
    config: (value) => {
      write('config.yaml', stringify(value));
    },
    remove: () => {
      rmSync(path, { recursive: true, force: true });
    },
  };
}
