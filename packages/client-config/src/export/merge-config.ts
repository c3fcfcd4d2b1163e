import type { ClientId } from '../clients/client-id.ts';
import { CLIENT_SHAPES } from '../clients/client-shape.ts';
import { clientEntry } from './client-entry.ts';
import { mergeJson } from './merge-json.ts';
import { mergeRefusalText, type MergedConfig } from './merge-refusal.ts';
import { mergeToml } from './merge-toml.ts';
import type { NamedEndpoint, RenderedConfig } from './render-config.ts';

/** The most characters of a configuration that is changed in place. */
const MAX_CHARS = 10_000_000;

const merged = (client: ClientId, file: string, server: Parameters<typeof mergeJson>[1]) =>
  CLIENT_SHAPES[client].format === 'toml' ? mergeToml(file, server) : mergeJson(file, server);

/**
 * Returns a configuration file of a client with the gateway added or replaced. Everything else in the text stays: other servers, other
 * settings, comments, order and indentation. An empty text becomes a new configuration.
 */
export const mergeConfig = (
  client: ClientId,
  file: string,
  { name, endpoint }: NamedEndpoint,
): RenderedConfig => {
  const rendered = clientEntry(client, endpoint);
  if (!rendered.ok) return rendered;
  const { parent } = CLIENT_SHAPES[client];
  const result: MergedConfig =
    file.length > MAX_CHARS
      ? { ok: false, refusal: { code: 'too-large', max: MAX_CHARS } }
      : merged(client, file, { parent, name, entry: rendered.entry });
  return result.ok ? result : { ok: false, problem: mergeRefusalText(result.refusal) };
};
