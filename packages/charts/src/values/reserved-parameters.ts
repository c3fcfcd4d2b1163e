import { parseConfig } from '@gateway/gateway-config';

const MUST_NOT_SET = /must not set (?<names>.*)$/u;

/**
 * Returns the parameters of an authorization request that the gateway sets itself, as its refusal of a configuration names them.
 */
export function reservedParameters(): readonly string[] {
  const upstream = {
    issuer: 'https://login.example.com',
    clientId: 'gateway',
    authorizationParameters: { state: '' },
  };
  const parsed = parseConfig({ auth: { broker: { upstream } } });
  const text = parsed.ok ? '' : (parsed.issues[0]?.message ?? '');
  const names = MUST_NOT_SET.exec(text)?.groups?.['names'];
  if (names === undefined) throw new Error(`no refused parameters: ${text}`);
  return names.split(', ');
}
