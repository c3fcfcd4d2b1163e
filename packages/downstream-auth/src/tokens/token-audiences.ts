import { parseJson } from '../storage/parse-json.ts';

/** Returns the audiences that a JWT names, without verification; none for other tokens. Grants nothing: the server verifies the token. RFC 7519 §4.1.3 */
export const tokenAudiences = (token: string): readonly string[] => {
  const parts = token.split('.');
  if (parts.length !== 3) return [];
  const claims = parseJson(Buffer.from(parts[1] ?? '', 'base64url').toString('utf8'));
  if (typeof claims !== 'object' || claims === null || !('aud' in claims)) return [];
  return [claims.aud].flat().filter((audience) => typeof audience === 'string');
};
