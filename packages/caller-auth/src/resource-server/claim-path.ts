import { isJsonObject, type JsonObject } from '@gateway/call-contract';

/**
 * Returns the claim at a path: the claim whose whole name is the path, such as `https://example.com/groups`, otherwise the member that
 * the dots lead to, such as `realm_access.roles`. Inherited properties are no claims.
 */
export const claimAt = (claims: JsonObject, path: string): unknown => {
  if (Object.hasOwn(claims, path)) return claims[path];
  let value: unknown = claims;
  for (const name of path.split('.')) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
};
