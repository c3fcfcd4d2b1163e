import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useBackend } from '../../backend/backend-context.ts';
import type { McpClient } from '../../mcp/mcp-client.ts';
import type { JsonObject } from '../../mcp/mcp-outcome.ts';
import { callCoreTool } from '../../mcp/meta-tools.ts';
import { CATALOG_KEY } from '../../queries/use-catalog.ts';

/** The progress of the creation of one server. */
export type CreationState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'running' }
  | { readonly kind: 'created'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string };

/** A server to create. */
export interface NewServer {
  /** The name in the imported text. */
  readonly source: string;
  readonly name: string;
  readonly definition: JsonObject;
}

/** The states of the servers of an import, by their names in the text. */
export type CreationStates = ReadonlyMap<string, CreationState>;

const create = async (
  gateway: McpClient,
  { name, definition }: NewServer,
): Promise<CreationState> => {
  const args = { ...definition, name };
  try {
    const { message } = await callCoreTool(gateway, 'core_mcpserver_create', args);
    return { kind: 'created', message: typeof message === 'string' ? message : '' };
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : '' };
  }
};

/** Creates servers one after the other, so that each has its own result. */
export const useCreation = (): {
  readonly states: CreationStates;
  readonly isRunning: boolean;
  readonly start: (servers: readonly NewServer[]) => Promise<void>;
} => {
  const { gateway } = useBackend();
  const queries = useQueryClient();
  const [states, setStates] = useState<CreationStates>(new Map());
  const [isRunning, setRunning] = useState(false);
  const report = (source: string, state: CreationState): void =>
    setStates((before) => new Map([...before, [source, state]]));
  const start = async (servers: readonly NewServer[]): Promise<void> => {
    setRunning(true);
    for (const { source } of servers) report(source, { kind: 'waiting' });
    for (const server of servers) {
      report(server.source, { kind: 'running' });
      report(server.source, await create(gateway, server));
    }
    setRunning(false);
    await queries.invalidateQueries({ queryKey: [CATALOG_KEY] });
  };
  return { states, isRunning, start };
};
