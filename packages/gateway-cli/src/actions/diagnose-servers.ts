import type { GatewayConfig } from '@gateway/gateway-config';
import { findingText, serverTroubles, type StoreState } from '@gateway/resource-store';
import type { CliIo } from '../cli-io.ts';
import { valueOf } from '../client/result-text.ts';
import { CommandFailure } from '../failure.ts';
import { entriesOf, fieldText, type Fields } from '../output/json-fields.ts';
import type { DiagnosisLine } from '../output/diagnosis.ts';
import { callCoreTool, withClient } from './request-gateway.ts';

const reportedOf = (server: Fields | undefined): Parameters<typeof serverTroubles>[1] => {
  if (server === undefined) return {};
  const reason = fieldText(server, 'error') || fieldText(server, 'statusMessage');
  return {
    state: fieldText(server, 'state'),
    ...(reason === '' ? {} : { reason }),
  };
};

const linesOf = (
  { servers }: StoreState,
  reported: readonly Fields[],
): readonly DiagnosisLine[] => {
  const byName = new Map(reported.map((server) => [fieldText(server, 'name'), server]));
  return servers.flatMap(({ metadata: { name }, spec }) =>
    serverTroubles(spec, reportedOf(byName.get(name))).map((trouble) => ({
      ...{ area: 'servers' as const, code: `server-${trouble.cause}` },
      ...findingText({ code: 'server', server: name, trouble }),
    })),
  );
};

/** Returns the endpoint of a gateway with this configuration on this machine. */
const ownEndpoint = ({ http: { port } }: GatewayConfig): string =>
  `http://127.0.0.1:${String(port)}/mcp`;

/**
 * Asks a running gateway for the states of its servers. A gateway that does not answer at its own address is a note, because it may not have
 * been started yet.
 */
export const serverLines = async (
  state: StoreState,
  {
    config,
    url,
    io,
  }: { readonly config: GatewayConfig; readonly url?: string; readonly io: CliIo },
): Promise<readonly DiagnosisLine[]> => {
  try {
    const value = await withClient({ url: url ?? ownEndpoint(config), io }, async (gateway) =>
      valueOf(await callCoreTool(gateway, 'core_mcpserver_list', { showAll: true, verbose: true })),
    );
    return linesOf(state, entriesOf(value, 'mcpServers'));
  } catch (error) {
    if (!(error instanceof CommandFailure) || error.ending === 'refused') throw error;
    const text = error.message.replaceAll(/\s+/gu, ' ');
    return [
      {
        ...{ area: 'servers', code: 'gateway-unavailable' },
        severity: url === undefined ? 'note' : 'problem',
        message: `The servers were not checked: ${text}`,
      },
    ];
  }
};
