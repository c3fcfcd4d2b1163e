import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseMcpServer, type McpServer } from '@gateway/crd-schemas';
import { createFileReferences, createFollowedFiles } from '@gateway/downstream-auth';
import pino from 'pino';
import { afterEach, beforeEach } from 'vitest';
import { ReferencedServers } from '../../src/local/referenced-servers.ts';

/** A server `crm`, in which placeholders are permitted. */
export const serverOf = (spec: object): McpServer => {
  const definition = {
    apiVersion: 'gateway.internal/v1alpha1',
    kind: 'MCPServer',
    metadata: { name: 'crm' },
    spec,
  };
  const parsed = parseMcpServer(definition, { hasPlaceholders: true });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value;
};

/** Servers whose values come from a directory. */
export class ReferencedScene {
  directory = '';
  /** Everything that was logged. */
  lines: string[] = [];
  applied: (readonly McpServer[])[] = [];
  servers!: ReferencedServers;

  /** Writes a file of the directory. */
  put(file: string, text: string, mode = 0o600): void {
    const path = join(this.directory, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode });
    chmodSync(path, mode);
  }

  /** The values of the servers that were applied last. */
  readonly last = () => this.applied.at(-1)?.map(({ referenced }) => referenced);

  async apply(...desired: readonly McpServer[]) {
    this.servers.apply(desired);
    await this.servers.settled();
    return this.last();
  }

  /** Opens the servers; placeholders have values with an environment only. */
  open(environment?: Readonly<Record<string, string>>): void {
    const { directory } = this;
    this.servers = new ReferencedServers({
      texts: createFileReferences({ directory }),
      ...(environment && {
        placeholders: { files: createFollowedFiles({ directory }), environment },
      }),
      apply: (now) => this.applied.push(now),
      logger: pino({}, { write: (line: string) => void this.lines.push(line) }),
    });
  }
}

/** A new scene for each test of a file. */
export const useReferenced = (environment?: Readonly<Record<string, string>>): ReferencedScene => {
  const scene = new ReferencedScene();
  beforeEach(() => {
    scene.directory = mkdtempSync(join(tmpdir(), 'references-'));
    scene.lines = [];
    scene.applied = [];
    scene.open(environment);
  });
  afterEach(() => {
    scene.servers.close();
    rmSync(scene.directory, { recursive: true, force: true });
  });
  return scene;
};
