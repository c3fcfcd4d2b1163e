import { stringify } from 'smol-toml';
import type { ClientId } from '../clients/client-id.ts';
import { CLIENT_SHAPES } from '../clients/client-shape.ts';
import { clientEntry, type GatewayEndpoint } from './client-entry.ts';

/** A configuration of a client, or the reason that there is none. */
export type RenderedConfig =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: string };

/** The entry of the gateway in a configuration. */
export interface NamedEndpoint {
  /** The name under which the client shows the gateway. */
  readonly name: string;
  readonly endpoint: GatewayEndpoint;
}

/** Returns a whole configuration file of a client with the gateway as its only server. It ends with a line break. */
export const renderConfig = (
  client: ClientId,
  { name, endpoint }: NamedEndpoint,
): RenderedConfig => {
  const rendered = clientEntry(client, endpoint);
  if (!rendered.ok) return rendered;
  const { format, parent } = CLIENT_SHAPES[client];
  const document = { [parent]: Object.fromEntries([[name, rendered.entry]]) };
  const text = format === 'toml' ? stringify(document) : JSON.stringify(document, undefined, 2);
  return { ok: true, text: text.endsWith('\n') ? text : `${text}\n` };
};
