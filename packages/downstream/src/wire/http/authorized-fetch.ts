import type { FetchLike } from '@modelcontextprotocol/client';
import { httpRefusalOf } from './http-authority.ts';
import type { HttpAuthority, HttpRefusal } from './http-authority.ts';

const withAuthorization = (init: RequestInit, value: string | undefined): RequestInit => {
  const headers = new Headers(init.headers);
  headers.delete('authorization');
  if (value !== undefined) headers.set('authorization', value);
  return { ...init, headers };
};

/** Returns a `fetch` whose requests are authorized, and sent once more after the authority renewed a refused credential. */
export const authorizedFetch = (fetch: FetchLike, authority: HttpAuthority): FetchLike => {
  const send: FetchLike = async (url, init = {}) =>
    fetch(url, withAuthorization(init, authority.authorization()));
  const refusalOf = (
    { status, headers }: Response,
    authorization: string | undefined,
  ): HttpRefusal | undefined =>
    httpRefusalOf(status, headers.get('www-authenticate') ?? undefined, authorization);
  return async (url, init) => {
    const first = authority.authorization();
    const answer = await send(url, init);
    const refusal = refusalOf(answer, first);
    if (refusal === undefined) return answer;
    if (!(await authority.renew(refusal))) {
      authority.refused(refusal);
      return answer;
    }
    await answer.body?.cancel();
    const second = authority.authorization();
    const again = await send(url, init);
    const last = refusalOf(again, second);
    if (last === undefined) return again;
    authority.refused(last);
    return again;
  };
};
