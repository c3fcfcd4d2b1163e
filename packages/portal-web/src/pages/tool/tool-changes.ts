import { isJsonObject, type JsonObject } from '../../mcp/mcp-outcome.ts';
import type { ToolDetail } from './tool-detail.ts';

/** A declaration that differs from the accepted one. */
export interface PendingChange {
  /** RFC 3339. */
  readonly at: string;
  readonly fields: readonly string[];
  /** It newly declares that it is read-only. */
  readonly isWidened: boolean;
  /** The new hint waits to be accepted. */
  readonly isHeld: boolean;
}

/** A past change of a tool, or its acceptance. */
export interface ChangeEvent {
  /** RFC 3339. */
  readonly at: string;
  readonly kind: 'changed' | 'widened' | 'accepted';
  /** The sentence of the gateway. */
  readonly message: string;
  /** The number of identical events. */
  readonly count: number;
}

const EXPOSED_PREFIX = 'x_';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const objectsOf = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

/**
 * Returns the server's own name of a tool.
 *
 * @param server an answer of `core_mcpserver_get`
 * @returns `undefined` for a tool of another server
 * @spec §1.4
 */
export const ownNameOf = (
  tool: Pick<ToolDetail, 'name' | 'server'>,
  server: JsonObject,
): string | undefined => {
  const family = isJsonObject(server['family']) ? textOf(server['family']['name']) : '';
  const name = textOf(server['name']);
  const prefix = tool.server === name ? textOf(server['toolPrefix']) || name : family;
  const start = `${EXPOSED_PREFIX}${prefix}_`;
  return tool.name.startsWith(start) ? tool.name.slice(start.length) : undefined;
};

/** Returns the change of a tool that is not accepted yet. @param server an answer of `core_mcpserver_get` */
export const pendingChangeOf = (server: JsonObject, ownName: string): PendingChange | undefined => {
  const change = objectsOf(server['toolChanges']).find(({ tool }) => tool === ownName);
  if (change === undefined) return undefined;
  const { fields } = change;
  return {
    at: textOf(change['at']),
    fields: Array.isArray(fields) ? fields.filter((field) => typeof field === 'string') : [],
    isWidened: change['hintWidened'] === true,
    isHeld: change['held'] === true,
  };
};

const MORE = /, \d+ more$/u;

const isAcceptanceOf = (message: string, ownName: string): boolean => {
  const names = message.slice(message.indexOf(': ') + 2);
  return `, ${names}, `.includes(`, ${ownName}, `) || MORE.test(names);
};

const kindOf = (event: JsonObject, ownName: string): ChangeEvent['kind'] | undefined => {
  const message = textOf(event['message']);
  const about = `MCPServer ${textOf(event['resource_name'])} tool ${ownName}`;
  switch (event['reason']) {
    case 'MCPServerToolChanged':
      return message === `${about} changed` || message.startsWith(`${about} changed (`)
        ? 'changed'
        : undefined;
    case 'MCPServerToolHintWidened':
      return message.startsWith(`${about} now declares itself read-only`) ? 'widened' : undefined;
    case 'MCPServerToolsAccepted':
      return isAcceptanceOf(message, ownName) ? 'accepted' : undefined;
    default:
      return undefined;
  }
};

/** Returns the past changes of a tool, newest first. @param answer an answer of `core_events` about the server */
export const changeEventsOf = (answer: JsonObject, ownName: string): readonly ChangeEvent[] =>
  objectsOf(answer['events']).flatMap((event) => {
    const kind = kindOf(event, ownName);
    if (kind === undefined) return [];
    const { count } = event;
    return [
      {
        at: `${textOf(event['timestamp']).replace(' ', 'T')}Z`,
        kind,
        message: textOf(event['message']),
        count: typeof count === 'number' ? count : 1,
      },
    ];
  });
